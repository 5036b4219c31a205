import type { ByteSource } from './byte-source.ts'
import { big, little, says } from './byte-source.ts'

/** How long a WAV, an MP3 or a FLAC plays, in milliseconds; undefined for other bytes. */
export function soundLength(source: ByteSource): number | undefined {
  if (says(source, 0, 'RIFF') && says(source, 8, 'WAVE')) return wavLength(source)
  if (says(source, 0, 'fLaC')) return flacLength(source)
  return mp3Length(source)
}

const mostChunks = 1000

/** The bytes of its samples by those of a second; who writes while he records says 0, or all there can be. */
function wavLength(source: ByteSource): number | undefined {
  let at = 12
  let secondBytes = 0
  for (let chunk = 0; chunk < mostChunks; chunk += 1) {
    const size = little(source, at + 4, 4)
    const start = at + 8
    if (says(source, at, 'fmt ')) secondBytes = little(source, start + 8, 4)
    if (says(source, at, 'data')) {
      const there = source.length - start
      return secondBytes === 0 ? undefined : (1000 * (size === 0 ? there : Math.min(size, there))) / secondBytes
    }
    at = start + size + (size % 2)
  }
  return undefined
}

/** Samples by their rate, in bits of the first block. */
function flacLength(source: ByteSource): number | undefined {
  const rate = Math.floor(big(source, 18, 3) / 16)
  const samples = (source.at(21) & 15) * 2 ** 32 + big(source, 22, 4)
  return rate === 0 || samples === 0 ? undefined : (1000 * samples) / rate
}

/** Bytes before the first frame that are looked through for it. */
const mostSearched = 65_536

/** As its first frame says: by its count of frames where it has one, else by its bytes at its rate. */
function mp3Length(source: ByteSource): number | undefined {
  const begin = says(source, 0, 'ID3') ? 10 + syncSafe(source, 6) : 0
  const end = Math.min(source.length - 4, begin + mostSearched)
  for (let at = begin; at < end; at += 1) {
    if (source.at(at) !== 0xff) continue
    const frame = frameAt(source, at)
    if (frame !== undefined && follows(source, at + frame.sizeBytes)) return lengthOf(source, at, frame)
  }
  return undefined
}

function syncSafe(source: ByteSource, at: number): number {
  let value = 0
  for (let index = 0; index < 4; index += 1) value = value * 128 + (source.at(at + index) & 127)
  return value
}

interface Frame {
  readonly samples: number
  readonly rate: number
  readonly secondBits: number
  readonly sizeBytes: number
  readonly isMono: boolean
  readonly isFirst: boolean
}

const rates = [44_100, 48_000, 32_000] as const
/** Thousands of bits a second of layer III, of MPEG 1 and of those after it. */
const bitRates = {
  first: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  later: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const

/** The head of a frame of layer III, where one stands. */
function frameAt(source: ByteSource, at: number): Frame | undefined {
  const [sync, rated, mode] = [source.at(at + 1), source.at(at + 2), source.at(at + 3)]
  const version = (sync >> 3) & 3
  const rate = rates[(rated >> 2) & 3]
  if (sync < 0xe0 || version === 1 || ((sync >> 1) & 3) !== 1 || rate === undefined) return undefined
  const isFirst = version === 3
  const kilobits = bitRates[isFirst ? 'first' : 'later'][rated >> 4]
  if (kilobits === undefined || kilobits === 0) return undefined
  const ownRate = rate / (isFirst ? 1 : version === 2 ? 2 : 4)
  const samples = isFirst ? 1152 : 576
  const secondBits = kilobits * 1000
  const sizeBytes = Math.floor((samples / 8) * (secondBits / ownRate)) + ((rated >> 1) & 1)
  return { samples, rate: ownRate, secondBits, sizeBytes, isMono: mode >> 6 === 3, isFirst }
}

/** Two bytes may look like a head anywhere: behind a frame comes another one, or the end. */
function follows(source: ByteSource, at: number): boolean {
  return at >= source.length - 4 || (source.at(at) === 0xff && frameAt(source, at) !== undefined)
}

function lengthOf(source: ByteSource, at: number, frame: Frame): number {
  const side = frame.isFirst ? (frame.isMono ? 17 : 32) : frame.isMono ? 9 : 17
  const tag = at + 4 + side
  const isCounted = (says(source, tag, 'Xing') || says(source, tag, 'Info')) && (source.at(tag + 7) & 1) === 1
  const frames = isCounted ? big(source, tag + 8, 4) : says(source, at + 36, 'VBRI') ? big(source, at + 50, 4) : 0
  if (frames > 0) return (1000 * frames * frame.samples) / frame.rate
  return (8000 * (source.length - at)) / frame.secondBits
}
