import type { Media, MediaDetail, MediaType } from '../../core/index.ts'
import { mediaDetails, present, stringAt } from '../../core/index.ts'
import { dataUrl, mediaOfData, mediaOfUrl, parseDataUrl } from '../media/media-data.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'

/** The parts of a message that are media, by their `type`. */
export const mediaParts: Readonly<Record<string, MediaType>> = {
  image_url: 'image',
  input_audio: 'audio',
  file: 'document',
  video_url: 'video',
}

export function openaiMedia(part: Field, partType: string): Media {
  const { tree, node } = part
  const type = mediaParts[partType] ?? 'document'
  const body = present(tree, node, partType)
  const data = stringAt(tree, body, 'data')
  const media =
    data === undefined
      ? mediaOfUrl(type, openaiMediaUrl(part) ?? '')
      : mediaOfData(type, data, `audio/${stringAt(tree, body, 'format') ?? 'wav'}`)
  const { url, ...known } = media
  return {
    ...known,
    ...(url === undefined || url === '' ? {} : { url }),
    ...optional('detail', detailOf(stringAt(tree, body, 'detail'))),
  }
}

/** Where the bytes of a part are, as one URL. */
export function openaiMediaUrl({ tree, node }: Field): string | undefined {
  const type = stringAt(tree, node, 'type') ?? ''
  const body = present(tree, node, type)
  const data = stringAt(tree, body, 'data')
  if (data !== undefined) return dataUrl({ mimeType: `audio/${stringAt(tree, body, 'format') ?? 'wav'}`, data })
  const file = stringAt(tree, body, 'file_data')
  if (file !== undefined) return parseDataUrl(file) === undefined ? undefined : file
  return stringAt(tree, body, 'url')
}

function detailOf(value: string | undefined): MediaDetail | undefined {
  return mediaDetails.find((detail) => detail === value)
}

/** A part that shows media; undefined where the dialect has none for it. */
export function openaiMediaJson(media: Media | undefined, url: string): string | undefined {
  const data = parseDataUrl(url)
  switch (media?.type) {
    case 'image':
      return JSON.stringify({ type: 'image_url', image_url: { url, ...(media.detail && { detail: media.detail }) } })
    case 'document':
      return data && JSON.stringify({ type: 'file', file: { filename: 'document', file_data: url } })
    case 'audio': {
      const format = data?.mimeType.split('/').at(-1)
      return data && JSON.stringify({ type: 'input_audio', input_audio: { data: data.data, format } })
    }
    case 'video':
      return JSON.stringify({ type: 'video_url', video_url: { url } })
    default:
      return undefined
  }
}
