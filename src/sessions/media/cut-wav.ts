/**
 * A stretch of a WAV of plain samples, as a WAV of its own, cut between two frames; undefined for other bytes. Times in milliseconds.
 */
export function cutWav(bytes: Uint8Array, fromMs: number, toMs: number): Uint8Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks = chunksOf(view)
  const format = chunks?.find(({ name }) => name === 'fmt ')
  const data = chunks?.find(({ name }) => name === 'data')
  if (format === undefined || data === undefined || format.size < 16) return undefined
  const secondBytes = view.getUint32(format.start + 8, true)
  const frameBytes = view.getUint16(format.start + 12, true)
  if (secondBytes === 0 || frameBytes === 0) return undefined
  const frameAt = (ms: number): number =>
    Math.min(data.size, Math.floor((ms * secondBytes) / 1000 / frameBytes) * frameBytes)
  const samples = bytes.subarray(data.start + frameAt(fromMs), data.start + frameAt(toMs))
  if (samples.length === 0) return undefined
  return written(bytes.subarray(format.start, format.start + format.size), samples)
}

interface Chunk {
  readonly name: string
  readonly start: number
  readonly size: number
}

const mostChunks = 1000

/** Up to the samples; who writes while he records says 0, or more than there is. */
function chunksOf(view: DataView): readonly Chunk[] | undefined {
  if (view.byteLength < 12 || nameAt(view, 0) !== 'RIFF' || nameAt(view, 8) !== 'WAVE') return undefined
  const found: Chunk[] = []
  let at = 12
  while (at + 8 <= view.byteLength && found.length < mostChunks) {
    const name = nameAt(view, at)
    const start = at + 8
    const said = view.getUint32(at + 4, true)
    const there = view.byteLength - start
    const size = name === 'data' && said === 0 ? there : Math.min(said, there)
    found.push({ name, start, size })
    if (name === 'data') break
    at = start + said + (said % 2)
  }
  return found
}

function nameAt(view: DataView, at: number): string {
  return String.fromCodePoint(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)))
}

function written(format: Uint8Array, samples: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + 8 + format.length + 8 + samples.length)
  const view = new DataView(bytes.buffer)
  const name = (at: number, text: string): void => {
    for (let index = 0; index < 4; index += 1) bytes[at + index] = text.codePointAt(index) ?? 0
  }
  name(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  name(8, 'WAVE')
  name(12, 'fmt ')
  view.setUint32(16, format.length, true)
  bytes.set(format, 20)
  name(20 + format.length, 'data')
  view.setUint32(24 + format.length, samples.length, true)
  bytes.set(samples, 28 + format.length)
  return bytes
}
