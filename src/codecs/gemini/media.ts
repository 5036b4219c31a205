import type { JsonNode, JsonTree, Media, MediaDetail, MediaType } from '../../core/index.ts'
import { stringAt } from '../../core/index.ts'
import { dataUrl, mediaOfData, parseDataUrl } from '../media/media-data.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'
import { either } from './members.ts'

/** What an inline part, or one that names a file, tells; the data are read in place. */
export function geminiMedia({ tree, node }: Field): Media {
  const inline = either(tree, node, 'inlineData')
  const mimeType = mimeOf(tree, inline ?? either(tree, node, 'fileData'))
  const type = typeOf(mimeType ?? '')
  const data = stringAt(tree, inline, 'data')
  const detail = optional('detail', detailOf(tree, node))
  if (data !== undefined) return { ...mediaOfData(type, data, mimeType), ...detail }
  return { type, ...optional('mimeType', mimeType), ...optional('url', urlOf(tree, node)), ...detail }
}

/** Where the bytes of a part are, as one URL; files that only this provider has are nowhere. */
export function geminiMediaUrl({ tree, node }: Field): string | undefined {
  const inline = either(tree, node, 'inlineData')
  const data = stringAt(tree, inline, 'data')
  const mimeType = mimeOf(tree, inline)
  return data !== undefined && mimeType !== undefined ? dataUrl({ mimeType, data }) : urlOf(tree, node)
}

function urlOf(tree: JsonTree, part: JsonNode): string | undefined {
  const file = either(tree, part, 'fileData')
  const uri = file && stringUnder(tree, file, 'fileUri')
  return uri !== undefined && /^https?:/.test(uri) && !ownFiles.test(uri) ? uri : undefined
}

const ownFiles = /^https:\/\/generativelanguage\.googleapis\.com\//

function mimeOf(tree: JsonTree, node: JsonNode | undefined): string | undefined {
  return node && stringUnder(tree, node, 'mimeType')
}

function stringUnder(tree: JsonTree, node: JsonNode, name: 'fileUri' | 'mimeType'): string | undefined {
  const found = either(tree, node, name)
  return found?.kind === 'string' ? (JSON.parse(tree.text.slice(found.start, found.end)) as string) : undefined
}

const types: ReadonlySet<string> = new Set<MediaType>(['image', 'audio', 'video'])

function typeOf(mimeType: string): MediaType {
  const [type = ''] = mimeType.split('/', 1)
  return types.has(type) ? (type as MediaType) : 'document'
}

const details: Readonly<Record<string, MediaDetail>> = {
  MEDIA_RESOLUTION_LOW: 'low',
  MEDIA_RESOLUTION_HIGH: 'high',
  MEDIA_RESOLUTION_ULTRA_HIGH: 'original',
}

function detailOf(tree: JsonTree, part: JsonNode): MediaDetail | undefined {
  const level = stringAt(tree, either(tree, part, 'mediaResolution'), 'level') ?? ''
  return Object.hasOwn(details, level) ? details[level] : undefined
}

/** A part that shows media. */
export function geminiMediaJson(media: Pick<Media, 'type' | 'mimeType'> | undefined, url: string): string {
  const data = parseDataUrl(url)
  const mimeType = media?.mimeType ?? usualMime(media?.type, url)
  const held =
    data === undefined
      ? { fileData: { mimeType, fileUri: url } }
      : { inlineData: { mimeType: data.mimeType, data: data.data } }
  return JSON.stringify(held)
}

/** What stands behind a URL has to be told. */
const mimeTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  mp3: 'audio/mp3',
  image: 'image/jpeg',
  document: 'application/pdf',
  audio: 'audio/wav',
  video: 'video/mp4',
}

function usualMime(type: string | undefined, url: string): string {
  const ending = /\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? ''
  return mimeTypes[ending] ?? mimeTypes[type ?? ''] ?? 'application/octet-stream'
}
