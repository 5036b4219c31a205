import type { ByteSource } from './byte-source.ts'
import { big, lettersAt, little, says } from './byte-source.ts'

export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** The size that the head of a PNG, JPEG, GIF or WebP tells; undefined for other bytes, and where no such picture can be. */
export function imageSize(source: ByteSource): ImageSize | undefined {
  const size = formats.find(({ magic }) => says(source, 0, magic))?.read(source)
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
}

type Read = (source: ByteSource) => ImageSize | undefined

const formats: readonly { readonly magic: string; readonly read: Read }[] = [
  { magic: '\u{89}PNG\r\n\u{1A}\n', read: pngSize },
  { magic: 'GIF8', read: (source) => ({ width: little(source, 6, 2), height: little(source, 8, 2) }) },
  { magic: 'RIFF', read: webpSize },
  { magic: '\u{FF}\u{D8}', read: jpegSize },
]

/** Pixels that a byte of a packed picture can stand for at the most; deflate makes 1 of 1,032. */
const mostPixelsOfByte = 8 * 1032

/** A head that promises more pixels than its bytes can hold lies. */
function pngSize(source: ByteSource): ImageSize | undefined {
  const [width, height] = [big(source, 16, 4), big(source, 20, 4)]
  const isWhole = source.length > headBytes
  return isWhole && width * height > source.length * mostPixelsOfByte ? undefined : { width, height }
}

/** What is no longer is a head alone, and promises nothing. */
const headBytes = 64

/** A picture has a handful of segments; bytes that go on like this are something else. */
const mostSegments = 10_000

/** Segment after segment to the frame header, which may come after megabytes of thumbnails and profiles. */
function jpegSize(source: ByteSource): ImageSize | undefined {
  let at = 2
  for (let segments = 0; segments < mostSegments; segments += 1) {
    if (source.at(at) !== 0xff) return undefined
    const kind = source.at(at + 1)
    if (kind === 0xff) at += 1
    else if (isFrameHeader(kind)) return { width: big(source, at + 7, 2), height: big(source, at + 5, 2) }
    else if (hasNoLength(kind)) at += 2
    else at += 2 + Math.max(2, big(source, at + 2, 2))
  }
  return undefined
}

/** SOF0 to SOF15, without the three that hold tables. */
function isFrameHeader(kind: number): boolean {
  return kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc
}

function hasNoLength(kind: number): boolean {
  return kind === 0x01 || (kind >= 0xd0 && kind <= 0xd9)
}

/** Three kinds of chunk may come first; each has the size at a place and in a width of its own. */
function webpSize(source: ByteSource): ImageSize | undefined {
  const chunk = lettersAt(source, 8, 8)
  if (chunk === 'WEBPVP8X') return { width: little(source, 24, 3) + 1, height: little(source, 27, 3) + 1 }
  if (chunk === 'WEBPVP8 ') return { width: little(source, 26, 2) & 0x3fff, height: little(source, 28, 2) & 0x3fff }
  if (chunk !== 'WEBPVP8L') return undefined
  const bits = little(source, 21, 4)
  return { width: (bits & 0x3fff) + 1, height: (Math.floor(bits / 0x4000) & 0x3fff) + 1 }
}
