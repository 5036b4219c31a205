import { dataUrl, parseDataUrl } from '../../codecs/index.ts'
import type { MediaRecipe } from '../../core/index.ts'
import { base64OfBytes, bytesOfBase64 } from '../../host/index.ts'
import { cutWav } from './cut-wav.ts'
import type { ImageLibrary } from './image-library.ts'

/** Makes what a recipe says of media, both as `data:` URLs. Rejects where that cannot be made of these bytes. */
export async function makeMedia(
  url: string,
  { crop, size, span }: MediaRecipe,
  images: ImageLibrary | undefined,
): Promise<string> {
  const original = parseDataUrl(url)
  if (original === undefined) throw new Error('the bytes are not at hand')
  const bytes = bytesOfBase64(original.data)
  const made = span === undefined ? await imageOf(bytes, { crop, size }, images) : cutWav(bytes, span.fromMs, span.toMs)
  if (made === undefined) throw new Error('it is no WAV of plain samples')
  return dataUrl({ mimeType: original.mimeType, data: base64OfBytes(made) })
}

type ImageRecipe = { readonly [Name in 'crop' | 'size']: MediaRecipe[Name] | undefined }

async function imageOf(
  bytes: Uint8Array,
  { crop, size }: ImageRecipe,
  images: ImageLibrary | undefined,
): Promise<Uint8Array> {
  if (images === undefined) throw new Error('no image library was given')
  const image = images(bytes).keepExif()
  const part =
    crop === undefined ? image : image.extract({ left: crop.x, top: crop.y, width: crop.width, height: crop.height })
  const made = size === undefined ? part : part.resize({ width: size.width, height: size.height, fit: 'fill' })
  return made.toBuffer()
}
