import type { Media } from '../../core/index.ts'
import { base64Source } from './byte-source.ts'
import { parseDataUrl } from './media-data.ts'

const texts = /^(?:text\/|application\/(?:json|xml|x-yaml|yaml|javascript|x-ndjson)\b|image\/svg\+xml)/

/** The words of a file of text, such as CSV or SVG; undefined for what is none. */
export function textOfFile(media: Media | undefined, url: string): string | undefined {
  const data = parseDataUrl(url)
  if (data === undefined || !texts.test(data.mimeType)) return undefined
  if (media?.type !== 'document' && media?.type !== 'image') return undefined
  return decoded(data.data)
}

/** Undefined where the bytes are not UTF-8. */
function decoded(base64: string): string | undefined {
  const source = base64Source(base64)
  const escaped = Array.from({ length: source.length }, (_, at) => `%${source.at(at).toString(16).padStart(2, '0')}`)
  try {
    return decodeURIComponent(escaped.join(''))
  } catch {
    return undefined
  }
}
