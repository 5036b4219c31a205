import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base64Source, bytesOf } from './byte-source.ts'
import { imageSize } from './image-size.ts'
import { mediaFacts } from './media-facts.ts'

/** Whole pictures of one pixel, as encoders wrote them. */
const onePixel: Readonly<Record<string, string>> = {
  'PNG': 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'GIF': 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'lossy WebP': 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
  'lossless WebP': 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==',
  'WebP with alpha':
    'UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==',
}

const big = (value: number, bytes: number) => little(value, bytes).toReversed()
const little = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, index) => (value >>> (8 * index)) & 255)
const text = (letters: string) => Array.from(letters, (letter) => letter.charCodeAt(0))
const segment = (kind: number, body: readonly number[]) => [0xff, kind, ...big(body.length + 2, 2), ...body]

/** The head of a picture of each format, in its words. */
const heads: Readonly<Record<string, (width: number, height: number) => readonly number[]>> = {
  'PNG': (width, height) => [
    137,
    ...text('PNG\r\n\u{1A}\n'),
    ...big(13, 4),
    ...text('IHDR'),
    ...big(width, 4),
    ...big(height, 4),
  ],
  'GIF': (width, height) => [...text('GIF89a'), ...little(width, 2), ...little(height, 2)],
  'JPEG': (width, height) => jpeg(0xc0, width, height),
  'progressive JPEG': (width, height) => jpeg(0xc2, width, height),
  'lossy WebP': (width, height) => [
    ...webp('VP8 '),
    ...Array<number>(6).fill(0),
    ...little(width, 2),
    ...little(height, 2),
  ],
  'lossless WebP': (width, height) => [...webp('VP8L'), 0x2f, ...little((width - 1) | ((height - 1) << 14), 4)],
  'WebP with alpha': (width, height) => [
    ...webp('VP8X'),
    ...little(16, 4),
    ...little(width - 1, 3),
    ...little(height - 1, 3),
  ],
}

function jpeg(frame: number, width: number, height: number): readonly number[] {
  // A thumbnail inside a segment has a frame header too; it is not ours.
  const thumbnail = segment(0xe1, segment(0xc0, [8, ...big(99, 2), ...big(99, 2)]))
  return [
    0xff,
    0xd8,
    ...thumbnail,
    ...segment(0xc4, [1, 2, 3]),
    0xff,
    ...segment(frame, [8, ...big(height, 2), ...big(width, 2), 3]),
  ]
}

function webp(chunk: string): readonly number[] {
  return [...text('RIFF'), 0, 0, 0, 0, ...text(`WEBP${chunk}`), 0, 0, 0, 0]
}

describe('the size of an image', () => {
  it.each(Object.entries(onePixel))('%s', (_, base64) => {
    expect(imageSize(base64Source(base64))).toEqual({ width: 1, height: 1 })
    expect(imageSize(bytesOf(Buffer.from(base64, 'base64')))).toEqual({ width: 1, height: 1 })
  })

  it.each(Object.entries(heads))('%s: any size, from the head alone', (_, headOf) => {
    const side = fc.integer({ min: 1, max: 16_383 })
    fc.assert(
      fc.property(side, side, (width, height) => {
        const head = headOf(width, height)
        expect(imageSize(bytesOf(Uint8Array.from(head)))).toEqual({ width, height })
        // Within a larger buffer, as a slice of a body is.
        expect(imageSize(bytesOf(Uint8Array.from([1, 2, 3, ...head, 9]).subarray(3)))).toEqual({ width, height })
      }),
    )
  })

  it.each(Object.entries(heads))('%s: not known where the head is cut', (_, headOf) => {
    const head = Uint8Array.from(headOf(300, 200))
    const short = head.length - 3
    for (let end = 0; end < short; end += 1) expect(mediaFacts('image', bytesOf(head.subarray(0, end)))).toEqual({})
  })

  it('any bytes give a size or nothing, and end', () => {
    const start = fc.constantFrom([], [0xff, 0xd8], [0xff, 0xd8, 0xff], text('RIFF'), text('GIF8'))
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 200 }), (magic, rest) => {
        const { width = 1, height = 1 } = mediaFacts('image', bytesOf(Uint8Array.from([...magic, ...rest])))
        expect(width > 0 && height > 0).toBe(true)
      }),
    )
  })
})
