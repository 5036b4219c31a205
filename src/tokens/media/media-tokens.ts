import type { Media, MediaType } from '../../core/index.ts'
import type { ModelInfo } from '../catalogue/model-info.ts'
import { mediaRuleOf, mediaRules } from './media-rules.ts'
import type { MediaRule, MediaRuleName } from './media-rules.ts'

/**
 * What a picture, a recording or a file costs a model, never 0. A picture whose size is not known costs as much as any of the largest that
 * its provider does not scale down; of sound, film and paper the number of bytes says what is likely, and else they are a minute, or five pages.
 */
export function mediaTokens(media: Media, info: Pick<ModelInfo, 'id' | 'provider'>): number {
  return mediaTokensBy(mediaRuleOf(info), media)
}

/** The same by the name of a rule. */
export function mediaTokensBy(rule: MediaRuleName, media: Media): number {
  return Math.max(1, Math.ceil(counters[media.type](media, mediaRules[rule])))
}

type Count = (media: Media, rule: MediaRule) => number

const counters: { readonly [Type in MediaType]: Count } = {
  image: ({ width, height, detail = 'auto' }, { image }) =>
    isSide(width) && isSide(height)
      ? image({ width: Math.min(MOST_PIXELS, width), height: Math.min(MOST_PIXELS, height) }, detail)
      : Math.max(...largest.map((size) => image(size, detail === 'low' ? 'low' : 'high'))),
  audio: audioTokens,
  // Frames that are looked at, one a second, and the sound.
  video: (media, rule) =>
    Math.ceil(durationMs(media) / 1000) * rule.filmFrameTokens + audioTokens(withDuration(media), rule),
  document: (media, { pageTokens }) => pagesOf(media) * pageTokens,
}

/** Shapes of which one is the dearest by every rule, of the longest side that providers keep. */
const largest = [
  { width: 3072, height: 3072 },
  { width: 3072, height: 2304 },
  { width: 3072, height: 1728 },
  { width: 3072, height: 1152 },
] as const

/** No provider takes more; a wrong size must not pass for a whole window. */
const MOST_PIXELS = 16_384

function isSide(pixels: number | undefined): pixels is number {
  return pixels !== undefined && pixels > 0
}

function audioTokens(media: Media, { audioFrameMs }: MediaRule): number {
  return Math.ceil(durationMs(media) / audioFrameMs)
}

const USUAL_MS = 60_000

/** Bytes of a second, of sound as it was sampled, of sound that is packed, and of film. */
const SAMPLED_BYTES = 48_000
const PACKED_BYTES = 16_000
const FILM_BYTES = 250_000

function durationMs(media: Media): number {
  if (media.durationMs !== undefined) return media.durationMs
  if (media.sizeBytes === undefined) return USUAL_MS
  return (1000 * media.sizeBytes) / bytesOfSecond(media)
}

function bytesOfSecond({ type, mimeType = '' }: Media): number {
  if (type === 'video') return FILM_BYTES
  return /wav|pcm|l16/i.test(mimeType) ? SAMPLED_BYTES : PACKED_BYTES
}

function withDuration(media: Media): Media {
  return { ...media, durationMs: durationMs(media) }
}

const USUAL_PAGES = 5
const PAGE_BYTES = 50_000
const MOST_PAGES = 600

function pagesOf({ pages, sizeBytes }: Media): number {
  if (pages !== undefined && pages > 0) return pages
  if (sizeBytes === undefined) return USUAL_PAGES
  return Math.min(MOST_PAGES, Math.max(1, Math.round(sizeBytes / PAGE_BYTES)))
}
