import type { Media } from './media.ts'
import type { PixelRegion } from './media-policy.ts'

/** How what is shown is made of the original: a part of it, an image in another size, a stretch of a recording. */
export interface MediaRecipe {
  readonly crop?: PixelRegion
  /** Of an image, in pixels, after the crop. */
  readonly size?: { readonly width: number; readonly height: number }
  /** Of a recording. */
  readonly span?: { readonly fromMs: number; readonly toMs: number }
}

/** What stands between an original's extent and what is shown of it, in markers. */
export const shownAs = ', shown as '

/** A recipe in words of digits, letters and dashes: `1280x720`, `800x600-of-1600x1200-at-0-120`, `0-30000ms`. */
export function recipeForm({ crop, size, span }: MediaRecipe): string {
  if (span !== undefined) return `${span.fromMs}-${span.toMs}ms`
  const part = crop && `${crop.width}x${crop.height}-at-${crop.x}-${crop.y}`
  if (size === undefined) return part ?? ''
  const whole = `${size.width}x${size.height}`
  return part === undefined ? whole : `${whole}-of-${part}`
}

/** With the handle that brings the original back, and where none can be followed. */
const marker = /^\[(?:Image|Audio): [^,\]]{1,80}, [0-9a-z-]{1,24}, shown as (?<form>[0-9a-z-]{1,48})\] /
const note = /^\((?:image|audio), [0-9a-z-]{1,24}, shown as (?<form>[0-9a-z-]{1,48})\)$/
const sizeForm = /^(?<width>\d{1,6})x(?<height>\d{1,6})$/
const partForm = /^(?<width>\d{1,6})x(?<height>\d{1,6})-at-(?<x>\d{1,6})-(?<y>\d{1,6})$/
const spanForm = /^(?<fromMs>\d{1,9})-(?<toMs>\d{1,9})ms$/

/** The recipe by which something is to be made of an item of media that is shown as `text`; undefined where the text is all that stands there. */
export function shownRecipe(text: string): MediaRecipe | undefined {
  const written = (marker.exec(text) ?? note.exec(text))?.groups?.['form']
  if (written === undefined) return undefined
  const span = figuresIn(spanForm, written)
  if (span !== undefined) return { span: { fromMs: span['fromMs'] ?? 0, toMs: span['toMs'] ?? 0 } }
  const [first = '', second] = written.split('-of-')
  const size = figuresIn(sizeForm, first)
  const crop = figuresIn(partForm, second ?? first)
  if ((size === undefined && second !== undefined) || (size === undefined && crop === undefined)) return undefined
  return {
    ...(crop && { crop: { x: crop['x'] ?? 0, y: crop['y'] ?? 0, ...sidesOf(crop) } }),
    ...(size && { size: sidesOf(size) }),
  }
}

type Figures = Readonly<Record<string, number>>

function figuresIn(form: RegExp, written: string): Figures | undefined {
  const groups = form.exec(written)?.groups
  return groups && Object.fromEntries(Object.entries(groups).map(([name, digits]) => [name, Number(digits)]))
}

function sidesOf({ width = 0, height = 0 }: Figures): { readonly width: number; readonly height: number } {
  return { width, height }
}

/** What is known of media after a recipe. */
export function mediaMade(media: Media, { crop, size, span }: MediaRecipe): Media {
  const { sizeBytes: _, ...known } = media
  const { width, height } = size ?? crop ?? media
  const durationMs = span === undefined ? media.durationMs : span.toMs - span.fromMs
  return {
    ...known,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(durationMs !== undefined && { durationMs }),
  }
}
