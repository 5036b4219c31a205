import type { ByteSource } from './byte-source.ts'
import { big, lettersAt, says } from './byte-source.ts'

export interface FilmFacts {
  readonly durationMs?: number
  /** In pixels, of the largest track. */
  readonly width?: number
  readonly height?: number
}

const mostBoxes = 10_000

/** What the boxes of an MP4, an M4A or a MOV tell; undefined for other bytes. */
export function filmFacts(source: ByteSource): FilmFacts | undefined {
  if (!says(source, 4, 'ftyp') && !says(source, 4, 'moov')) return undefined
  let found: FilmFacts = {}
  let left = mostBoxes
  const walk = (start: number, end: number, holders: readonly string[]): void => {
    const [holder, ...inner] = holders
    for (let at = start; at + 8 <= end && left > 0;) {
      left -= 1
      const box = boxAt(source, at, end)
      if (box === undefined) return
      if (box.name === holder) walk(box.start, box.end, inner)
      else if (box.name === 'mvhd') found = { ...found, ...lengthIn(source, box.start) }
      else if (box.name === 'tkhd') found = larger(found, sizeIn(source, box))
      at = box.end
    }
  }
  walk(0, source.length, ['moov', 'trak'])
  return found
}

interface Box {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** A size of 1 stands behind the name, and one of 0 goes to the end. */
function boxAt(source: ByteSource, at: number, end: number): Box | undefined {
  const size = big(source, at, 4)
  const isLong = size === 1
  const whole = isLong ? big(source, at + 8, 8) : size === 0 ? end - at : size
  const start = at + (isLong ? 16 : 8)
  if (at + whole < start) return undefined
  return { name: lettersAt(source, at + 4, 4), start, end: Math.min(end, at + whole) }
}

function lengthIn(source: ByteSource, start: number): FilmFacts {
  const isLong = source.at(start) === 1
  const at = start + (isLong ? 20 : 12)
  const [scale, duration] = [big(source, at, 4), big(source, at + 4, isLong ? 8 : 4)]
  const isKnown = scale > 0 && duration > 0 && duration < 2 ** (isLong ? 63 : 32) - 1
  return isKnown ? { durationMs: (1000 * duration) / scale } : {}
}

/** The last two numbers, of which the upper half is whole pixels. */
function sizeIn(source: ByteSource, { end }: Box): FilmFacts {
  return { width: big(source, end - 8, 2), height: big(source, end - 4, 2) }
}

function larger(known: FilmFacts, { width = 0, height = 0 }: FilmFacts): FilmFacts {
  return width * height > (known.width ?? 0) * (known.height ?? 0) ? { ...known, width, height } : known
}
