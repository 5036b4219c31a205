import type { ImagePolicy, Item, LadderContext, Media, MediaRecipe, MediaWish, PixelRegion } from '../core/index.ts'
import { recipeForm } from '../core/index.ts'
import type { Draft } from './renditions.ts'

/** Names what is made, in the words that stand beside it. */
type Write = (form: 'image-shown' | 'audio-shown', shape: string) => string

interface Making {
  readonly item: Item
  readonly context: LadderContext
  readonly wish: MediaWish
  /** What the original takes. */
  readonly fullTokens: number
  readonly write: Write
}

/**
 * Ways to show an image or a recording by what is made of it, dearest first: as the policy wants it when it comes in, then in half and a
 * quarter of its tokens. Sizes are those that the model's provider charges no more for. Nothing where it cannot be made.
 */
export function madeDrafts(making: Making): readonly Draft[] {
  const { item, wish } = making
  const { media } = item
  if (media === undefined || !canMake(media, wish)) return []
  return media.type === 'image' ? imageDrafts(media, making) : soundDrafts(media, making)
}

const readable = { image: /^image\/(?:png|jpe?g|webp)$/i, audio: /^audio\/(?:x-|vnd\.)?wave?$/i } as const

/** Whether something can be made of it: of bytes that are at hand, in a format that is written as it is read. */
export function canMake({ type, mimeType = '', url, fingerprint }: Media, { making }: MediaWish): boolean {
  if ((type !== 'image' && type !== 'audio') || !making.types.includes(type)) return false
  const at = fingerprint ?? (url?.startsWith('data:') === true ? url : undefined)
  return at !== undefined && readable[type].test(mimeType) && making.except?.includes(at) !== true
}

const leastSideUsual = 320
/** Of what an image costs; below that nothing on it can be told. */
const pressed = [0.5, 0.25] as const

function imageDrafts(media: Media, making: Making): readonly Draft[] {
  const { images } = making.wish
  const { width = 0, height = 0 } = media
  if (images === undefined || width < 1 || height < 1) return []
  const whole = { x: 0, y: 0, width, height }
  const crop = partOf(making.item, images, whole)
  const from: Source = { whole, crop }
  const own = crop === undefined ? making.fullTokens : countOf(making, { crop })
  const most = images.mostTokens ?? Infinity
  const wanted = own > most ? atMost(making, from, most) : crop && { crop }
  const first = wanted && imageDraft(making, from, wanted)
  const base = Math.min(own, first === undefined ? own : making.context.count(first.text))
  const shares = making.wish.arriving === true ? [] : pressed
  const less = shares.flatMap((share) => {
    const recipe = atMost(making, from, base * share)
    return recipe === undefined ? [] : [imageDraft(making, from, recipe)]
  })
  return first === undefined ? less : [first, ...less]
}

interface Source {
  readonly whole: PixelRegion
  readonly crop: PixelRegion | undefined
}

/** What the caller says is worth showing of it, or the policy of images of its tool; only where it lies within. */
function partOf({ media, toolName }: Item, { crop = [] }: ImagePolicy, whole: PixelRegion): PixelRegion | undefined {
  const [x, y, width, height] = media?.region ?? []
  const said =
    x === undefined || y === undefined || width === undefined || height === undefined ? [] : [{ x, y, width, height }]
  const meant = crop.filter(({ tool }) => tool === undefined || tool === toolName)
  const found = [...said, ...meant].find((part) => isWithin(part, whole))
  return found && { x: found.x, y: found.y, width: found.width, height: found.height }
}

function isWithin({ x, y, width, height }: PixelRegion, whole: PixelRegion): boolean {
  const isSmaller = width < whole.width || height < whole.height
  return isSmaller && width > 0 && height > 0 && x + width <= whole.width && y + height <= whole.height
}

/** The largest size that costs at most so much, or the smallest that may be; undefined where it is as large as it is. */
function atMost(making: Making, { whole, crop }: Source, tokens: number): MediaRecipe | undefined {
  const { width, height } = crop ?? whole
  const { leastSide = leastSideUsual } = making.wish.images ?? {}
  const [long, short] = [Math.max(width, height), Math.min(width, height)]
  const scaled = (side: number): MediaRecipe => {
    const size = {
      width: Math.max(1, Math.round((width * side) / long)),
      height: Math.max(1, Math.round((height * side) / long)),
    }
    return crop === undefined ? { size } : { size, crop }
  }
  let [low, high] = [Math.ceil((Math.min(leastSide, short) * long) / short), long - 1]
  if (low > high) return crop && { crop }
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (countOf(making, scaled(middle)) <= tokens) low = middle
    else high = middle - 1
  }
  return scaled(low)
}

function countOf({ context, write }: Making, recipe: MediaRecipe): number {
  return context.count(write('image-shown', recipeForm(recipe)))
}

/** Of what was cut off nothing is left; what is smaller is less sharp by as much as its sides are shorter. */
function imageDraft({ write, context }: Making, { whole, crop = whole }: Source, recipe: MediaRecipe): Draft {
  const area = (crop.width * crop.height) / (whole.width * whole.height)
  const sharpness = recipe.size === undefined ? 1 : recipe.size.width / crop.width
  const text = write('image-shown', recipeForm(recipe))
  return { rung: 'trimmed', text, fidelity: area * sharpness, ...handleOf(context) }
}

function soundDrafts({ durationMs = 0 }: Media, { wish, write, context }: Making): readonly Draft[] {
  const { audio } = wish
  if (audio === undefined || durationMs <= 0) return []
  const end = Math.round(durationMs)
  const shares = wish.arriving === true ? [1] : [1, ...pressed]
  const lengths = shares.map((share) => Math.round(audio.mostMs * share))
  return lengths
    .filter((length) => length > 0 && length < end)
    .map((length): Draft => {
      const fromMs = audio.keep === 'end' ? end - length : 0
      const recipe = { span: { fromMs, toMs: fromMs + length } }
      const text = write('audio-shown', recipeForm(recipe))
      return { rung: 'trimmed', text, fidelity: length / end, ...handleOf(context) }
    })
}

function handleOf({ handle }: LadderContext): Pick<Draft, 'handle'> {
  return handle === '' ? {} : { handle }
}
