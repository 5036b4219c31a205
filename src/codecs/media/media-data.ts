import type { Media, MediaType } from '../../core/index.ts'
import { mediaTypes } from '../../core/index.ts'
import { base64Source } from './byte-source.ts'
import { mediaFingerprint } from './media-fingerprint.ts'
import { mediaFacts } from './media-facts.ts'

/** What the bytes of a picture, a recording or a file tell of it. */
export function mediaOfData(type: MediaType, data: string, mimeType?: string): Media {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  const sizeBytes = Math.max(0, Math.floor((data.length * 3) / 4) - padding)
  return {
    type,
    ...(mimeType === undefined ? {} : { mimeType }),
    ...mediaFacts(type, base64Source(data)),
    ...sampledLength(sizeBytes, mimeType),
    sizeBytes,
    fingerprint: mediaFingerprint(data),
  }
}

/** Bare samples have no head: 16 bits each, so many a second as their type says. */
function sampledLength(sizeBytes: number, mimeType = ''): Pick<Media, 'durationMs'> {
  const rate = /^audio\/(?:l16|pcm)\b/i.test(mimeType) ? Number(/rate=(\d{4,6})\b/.exec(mimeType)?.[1] ?? 0) : 0
  return rate === 0 ? {} : { durationMs: Math.round((1000 * sizeBytes) / (2 * rate)) }
}

/** `data:image/png;base64,…`, taken apart. */
export interface DataUrl {
  readonly mimeType: string
  readonly data: string
}

export function parseDataUrl(url: string): DataUrl | undefined {
  if (!url.startsWith('data:')) return undefined
  const comma = url.indexOf(',')
  const head = url.slice('data:'.length, comma)
  if (comma < 0 || !head.endsWith(';base64')) return undefined
  return { mimeType: head.slice(0, head.indexOf(';')), data: url.slice(comma + 1) }
}

export function dataUrl({ mimeType, data }: DataUrl): string {
  return `data:${mimeType};base64,${data}`
}

/** Media that stands behind a URL, which may hold the data itself. */
export function mediaOfUrl(type: MediaType, url: string): Media {
  const inline = parseDataUrl(url)
  if (inline !== undefined) return mediaOfData(type, inline.data, inline.mimeType)
  return url.startsWith('data:') ? { type } : { type, url }
}

/** What a URL tells of what stands behind it: its kind by what its data are; what is to be fetched is taken for a picture. */
export function mediaAt(url: string): Media {
  const kind = parseDataUrl(url)?.mimeType.split('/', 1)[0]
  const type = kind === undefined ? 'image' : (mediaTypes.find((known) => known === kind) ?? 'document')
  return mediaOfUrl(type, url)
}
