import type { JsonObject, Media } from '../../core/index.ts'
import { decodeValue, isJsonObject, present, stringAt } from '../../core/index.ts'
import { dataUrl, mediaOfData, mediaOfUrl, parseDataUrl } from '../media/media-data.ts'
import type { Field } from '../read-field.ts'

/** What an image or document block tells; the data are read in place. */
export function anthropicMedia({ tree, node }: Field): Media {
  const type = stringAt(tree, node, 'type') === 'image' ? 'image' : 'document'
  const source = present(tree, node, 'source')
  const url = stringAt(tree, source, 'url')
  const data = stringAt(tree, source, 'data')
  if (data !== undefined) return mediaOfData(type, data, stringAt(tree, source, 'media_type'))
  return url === undefined ? { type } : mediaOfUrl(type, url)
}

/** Where the bytes of an image or document block are, as one URL; of a result that is nothing else, those of its block. */
export function anthropicMediaUrl({ tree, node }: Field): string | undefined {
  const isResult = stringAt(tree, node, 'type') === 'tool_result'
  const shown = isResult ? present(tree, node, 'content')?.children[0] : node
  const block = shown && decodeValue(tree, shown)
  const source: JsonObject = isJsonObject(block) && isJsonObject(block['source']) ? block['source'] : {}
  const { url, data, media_type: mimeType } = source
  if (typeof url === 'string') return url
  return typeof data === 'string' && typeof mimeType === 'string' ? dataUrl({ mimeType, data }) : undefined
}

/** A block that shows a picture or a file. */
export function anthropicMediaJson(type: 'image' | 'document', url: string): string {
  const data = parseDataUrl(url)
  const source =
    data === undefined ? { type: 'url', url } : { type: 'base64', media_type: data.mimeType, data: data.data }
  return JSON.stringify({ type, source })
}
