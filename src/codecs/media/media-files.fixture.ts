/** Small whole files of each kind, as encoders write them, with what they hold. */
const letters = (text: string): readonly number[] => Array.from(text, (letter) => letter.charCodeAt(0))
const big = (value: number, bytes: number): readonly number[] => little(value, bytes).toReversed()
const little = (value: number, bytes: number): readonly number[] =>
  Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256)

const repeated = (count: number, value: number): readonly number[] => Array.from({ length: count }, () => value)

function bytesWith(...parts: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from(parts.flat())
}

/** Silence: 16 bits a sample, one channel. `saysBytes` is what the head says of its samples, where that is another than they have. */
export function wav(rate: number, seconds: number, saysBytes = 2 * rate * seconds): Uint8Array {
  const head = [...little(1, 2), ...little(1, 2), ...little(rate, 4), ...little(2 * rate, 4), ...little(2, 2), 16, 0]
  const list = [...letters('LIST'), ...little(3, 4), 1, 2, 3, 0]
  const samples = repeated(2 * rate * seconds, 0)
  const data = [...letters('data'), ...little(saysBytes, 4), ...samples]
  return bytesWith(letters('RIFF'), little(4, 4), letters('WAVEfmt '), little(16, 4), head, list, data)
}

/** Frames of MPEG 1, layer III, 128 kbit/s at 44,100 Hz, of 417 bytes each, behind a tag; `counted` is what a first frame says of their number. */
export function mp3(frames: number, counted?: number): Uint8Array {
  const frame = [0xff, 0xfb, 0x90, 0x00, ...repeated(413, 0)]
  const tag = [...letters('ID3'), 4, 0, 0, 0, 0, 1, 0, ...repeated(128, 0xff)]
  const first = [...frame]
  if (counted !== undefined) first.splice(36, 12, ...letters('Xing'), ...big(1, 4), ...big(counted, 4))
  return bytesWith(tag, first, ...Array.from({ length: frames - 1 }, () => frame))
}

export function flac(rate: number, samples: number): Uint8Array {
  const rated = [...big(rate * 16, 3).slice(0, 2), (rate % 16) * 16]
  return bytesWith(letters('fLaC'), [0x80, 0, 0, 34], repeated(10, 0), rated, [0], big(samples, 4), big(0, 16))
}

const box = (name: string, ...parts: readonly (readonly number[])[]): readonly number[] => {
  const body = parts.flat()
  return [...big(body.length + 8, 4), ...letters(name), ...body]
}

/** A film without a frame, its table behind where the frames would be; `isLong` writes its length in eight bytes. */
export function mp4(seconds: number, width: number, height: number, isLong = false): Uint8Array {
  const times = isLong ? [1, 0, 0, 0, ...big(0, 16)] : [0, 0, 0, 0, ...big(0, 8)]
  const header = [...times, ...big(600, 4), ...big(600 * seconds, isLong ? 8 : 4), ...big(0, 80)]
  const track = [...big(0, 76), ...big(width * 65_536, 4), ...big(height * 65_536, 4)]
  const sound = [...big(0, 84)]
  const moov = box('moov', box('mvhd', header), box('trak', box('tkhd', sound)), box('trak', box('tkhd', track)))
  return bytesWith(box('ftyp', letters('isom'), big(0, 4)), box('mdat', repeated(2000, 7)), moov)
}

/** A tree of pages with inner nodes, and a list of bookmarks, which are counted too. */
export function pdf(pages: number): Uint8Array {
  const inner = Array.from({ length: Math.ceil(pages / 10) }, (_, index) => Math.min(10, pages - 10 * index))
  const objects = [
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R /Outlines 3 0 R >>\nendobj',
    `2 0 obj\n<< /Kids [ 9 0 R ] /Count ${pages} /Type /Pages >>\nendobj`,
    '3 0 obj\n<< /Type /Outlines /Count 999 >>\nendobj',
    ...inner.map((count, index) => `${9 + index} 0 obj\n<</Type/Pages/Parent 2 0 R/Count ${count}>>\nendobj`),
    ...Array.from({ length: pages }, (_, index) => `${100 + index} 0 obj\n<</Type/Page/Parent 9 0 R>>\nendobj`),
  ]
  return Uint8Array.from(letters(`%PDF-1.4\n${objects.join('\n')}\ntrailer << /Root 1 0 R >>\n%%EOF`))
}
