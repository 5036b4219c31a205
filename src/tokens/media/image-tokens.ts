import type { MediaDetail } from '../../core/index.ts'

export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** What an image costs in a model's eyes, looked at more or less closely. */
export type ImageRule = (size: PixelSize, detail: MediaDetail) => number

/** Most patches that an image is cut into, and the longest side it keeps. */
export interface PatchBudget {
  readonly patches: number
  readonly sidePixels: number
}

const TILE_PIXELS = 512

/** OpenAI's older models: a base, and so much for each tile of 512 pixels, once the shorter side has 768. */
export function tiledImage(base: number, tile: number): ImageRule {
  return (size, detail) => {
    if (detail === 'low') return base
    const fitted = scaled(size, fit(size, 2048))
    const shown = scaled(fitted, Math.min(1, 768 / Math.min(fitted.width, fitted.height)))
    return base + tile * cells(shown, TILE_PIXELS)
  }
}

export interface PatchRule {
  readonly high: PatchBudget
  /** Absent where the model makes no difference between the two. */
  readonly original?: PatchBudget
  /** What is meant where nothing is said. */
  readonly auto: 'high' | 'original'
  readonly multiplier: number
}

const PATCH_PIXELS = 32
const lowBudget: PatchBudget = { patches: 256, sidePixels: 512 }

/** OpenAI's newer models: patches of 32 pixels, as many as the budget allows, times what the model makes of each. */
export function patchedImage({ high, original = high, auto, multiplier }: PatchRule): ImageRule {
  const budgets = { low: lowBudget, high, original, auto: auto === 'high' ? high : original }
  return (size, detail) => {
    const { patches, sidePixels } = budgets[detail]
    const fitted = scaled(size, fit(size, sidePixels))
    const used = cells(scaled(fitted, shrinkToPatches(fitted, patches)), PATCH_PIXELS)
    return Math.ceil(multiplier * Math.min(patches, used))
  }
}

/** The scale at which whole patches fill the budget. */
function shrinkToPatches({ width, height }: PixelSize, patches: number): number {
  if (cells({ width, height }, PATCH_PIXELS) <= patches) return 1
  const scale = Math.sqrt((PATCH_PIXELS ** 2 * patches) / (width * height))
  const [across, down] = [(width * scale) / PATCH_PIXELS, (height * scale) / PATCH_PIXELS]
  return scale * Math.min(wholePart(across), wholePart(down))
}

/** Very long images have less than one patch on their short side. */
function wholePart(patches: number): number {
  return patches < 1 ? 1 : Math.floor(patches) / patches
}

const CELL_PIXELS = 28

/** Anthropic's: cells of 28 pixels, of the largest size that keeps to the longest side and to the most tokens. */
export function cellImage(sidePixels: number, mostTokens: number): ImageRule {
  const fits = (size: PixelSize): boolean =>
    Math.ceil(Math.max(size.width, size.height) / CELL_PIXELS) * CELL_PIXELS <= sidePixels &&
    cells(size, CELL_PIXELS) <= mostTokens
  return (size) => {
    if (fits(size)) return cells(size, CELL_PIXELS)
    const long = Math.max(size.width, size.height)
    const aspect = long / Math.max(1, Math.min(size.width, size.height))
    const at = (width: number): PixelSize => ({ width, height: Math.max(1, Math.round(width / aspect)) })
    let [low, high] = [1, Math.ceil(Math.min(long, sidePixels))]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (fits(at(middle))) low = middle
      else high = middle - 1
    }
    return cells(at(low), CELL_PIXELS)
  }
}

/** Google's since 3: a sum for each detail, whatever the size. */
export function flatImage(tokens: {
  readonly low: number
  readonly high: number
  readonly original: number
}): ImageRule {
  return (_, detail) => tokens[detail === 'auto' ? 'high' : detail]
}

const SMALL_PIXELS = 384
const GOOGLE_TILE_PIXELS = 768

/** Google's before 3: a sum for a small image, and for each tile of 768 pixels of a larger one, up to so many tiles. */
export function googleTiledImage(tile: number, mostTiles: number): ImageRule {
  return (size, detail) => {
    if (detail === 'low' || Math.max(size.width, size.height) <= SMALL_PIXELS) return tile
    return tile * Math.min(mostTiles, cells(size, GOOGLE_TILE_PIXELS))
  }
}

/** The scale at which an image fits into a square; never above 1. */
function fit({ width, height }: PixelSize, side: number): number {
  return Math.min(1, side / Math.max(width, height))
}

function scaled({ width, height }: PixelSize, scale: number): PixelSize {
  return scale === 1 ? { width, height } : { width: width * scale, height: height * scale }
}

/** Squares of a side that cover an image; a hair's breadth over, which is rounding, needs no square. */
function cells({ width, height }: PixelSize, side: number): number {
  const across = Math.ceil(width / side - ROUNDING)
  const down = Math.ceil(height / side - ROUNDING)
  return Math.max(1, across) * Math.max(1, down)
}

const ROUNDING = 1e-9
