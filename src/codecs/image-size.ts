export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Reads the size of a PNG, JPEG, GIF or WebP from its head; undefined for other bytes, and where they end too soon. */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = formats.find(({ magic }) => startsWith(bytes, magic))
  try {
    return found?.read(view)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

type Read = (view: DataView) => ImageSize | undefined

const formats: readonly { readonly magic: string; readonly read: Read }[] = [
  { magic: '\u{89}PNG\r\n\u{1A}\n', read: (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }) },
  { magic: 'GIF8', read: (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }) },
  { magic: 'RIFF', read: webpSize },
  { magic: '\u{FF}\u{D8}', read: jpegSize },
]

function startsWith(bytes: Uint8Array, magic: string, at = 0): boolean {
  return Array.from(magic, (letter) => letter.codePointAt(0)).every((code, index) => bytes[at + index] === code)
}

/** Segment after segment to the frame header, which may come after megabytes of thumbnails and profiles. */
function jpegSize(view: DataView): ImageSize | undefined {
  let at = 2
  for (;;) {
    if (view.getUint8(at) !== 0xff) return undefined
    const kind = view.getUint8(at + 1)
    if (kind === 0xff) at += 1
    else if (isFrameHeader(kind)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    else if (hasNoLength(kind)) at += 2
    else at += 2 + Math.max(2, view.getUint16(at + 2))
  }
}

/** SOF0 to SOF15, without the three that hold tables. */
function isFrameHeader(kind: number): boolean {
  return kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc
}

function hasNoLength(kind: number): boolean {
  return kind === 0x01 || (kind >= 0xd0 && kind <= 0xd9)
}

/** Three kinds of chunk may come first; each has the size at a place and in a width of its own. */
function webpSize(view: DataView): ImageSize | undefined {
  const chunk = String.fromCharCode(...[8, 12].flatMap((at) => [0, 1, 2, 3].map((next) => view.getUint8(at + next))))
  if (chunk === 'WEBPVP8X') return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 }
  if (chunk === 'WEBPVP8 ')
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (chunk !== 'WEBPVP8L') return undefined
  const bits = view.getUint32(21, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + 0x1_00_00 * view.getUint8(at + 2)
}
