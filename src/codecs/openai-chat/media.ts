import type { Media, MediaDetail, MediaType } from '../../core/index.ts'
import { mediaDetails, present, stringAt } from '../../core/index.ts'
import { dataUrl, mediaOfData, mediaOfUrl, parseDataUrl } from '../media-data.ts'
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
