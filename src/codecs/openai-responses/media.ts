import type { Media, MediaDetail, MediaType } from '../../core/index.ts'
import { mediaDetails, present, stringAt } from '../../core/index.ts'
import { dataUrl, mediaOfData, mediaOfUrl, parseDataUrl } from '../media/media-data.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'

/** The parts of a message that are media, by their `type`. */
export const mediaParts: Readonly<Record<string, MediaType>> = {
  input_image: 'image',
  input_audio: 'audio',
  input_file: 'document',
  computer_screenshot: 'image',
}

export function responsesMedia(part: Field, partType: string): Media {
  const { tree, node } = part
  const type = mediaParts[partType] ?? 'document'
  const { url, ...known } = mediaOf(part, type)
  return {
    ...known,
    ...(url === undefined || url === '' ? {} : { url }),
    ...optional('detail', detailOf(stringAt(tree, node, 'detail'))),
  }
}

function mediaOf(part: Field, type: MediaType): Media {
  const audio = audioOf(part)
  return audio ? mediaOfData(type, audio.data, audio.mimeType) : mediaOfUrl(type, responsesMediaUrl(part) ?? '')
}

/** Where the bytes of a part are, as one URL; a part that names a file of the provider's has none. */
export function responsesMediaUrl(part: Field): string | undefined {
  const { tree } = part
  // A result of the provider's own computer tool is a picture as a whole.
  const output = present(tree, part.node, 'output')
  const node = output?.kind === 'object' ? output : part.node
  const audio = audioOf(part)
  if (audio !== undefined) return dataUrl(audio)
  const file = stringAt(tree, node, 'file_data')
  if (file !== undefined) return parseDataUrl(file) === undefined ? undefined : file
  return stringAt(tree, node, 'image_url') ?? stringAt(tree, node, 'file_url')
}

function audioOf({ tree, node }: Field): { readonly mimeType: string; readonly data: string } | undefined {
  const body = present(tree, node, 'input_audio')
  const data = stringAt(tree, body, 'data')
  return data === undefined ? undefined : { mimeType: `audio/${stringAt(tree, body, 'format') ?? 'wav'}`, data }
}

function detailOf(value: string | undefined): MediaDetail | undefined {
  return mediaDetails.find((detail) => detail === value)
}

/** A part that shows media; undefined where the dialect has none for it. */
export function responsesMediaJson(media: Media | undefined, url: string): string | undefined {
  const data = parseDataUrl(url)
  switch (media?.type) {
    case 'image':
      return JSON.stringify({ type: 'input_image', image_url: url, detail: media.detail ?? 'auto' })
    case 'document':
      return JSON.stringify(
        data === undefined
          ? { type: 'input_file', file_url: url }
          : { type: 'input_file', filename: 'document', file_data: url },
      )
    case 'audio': {
      const format = data?.mimeType.split('/').at(-1)
      return data && JSON.stringify({ type: 'input_audio', input_audio: { data: data.data, format } })
    }
    default:
      return undefined
  }
}
