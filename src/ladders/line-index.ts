import type { LineIndex, LineRun, LineSource, RunReader } from '../core/index.ts'
import { readMarker } from './marker-grammar.ts'

/** Places looked at per line, the oldest and the newest of those where it stands. */
const maxCandidates = 48

interface Entry {
  readonly source: LineSource
  readonly lines: readonly string[]
  /** Position of its first line in the sequence. */
  readonly start: number
  /** How often each of its lines stands in it; counted when it is first asked for. */
  times?: ReadonlyMap<number, number>
}

/** Grows at its end only; a version sees the first `size` entries. Line number 0 separates items and equals nothing. */
interface Storage {
  readonly entries: Entry[]
  readonly numbers: Map<string, number>
  readonly sequence: number[]
  /** Positions of three lines that follow one another, by their hash; most stand at one place only. */
  readonly triples: Map<number, number | number[]>
}

/** An index of nothing. */
export function lineIndex(): LineIndex {
  return indexOf(emptyStorage(), 0)
}

function emptyStorage(): Storage {
  return { entries: [], numbers: new Map(), sequence: [0], triples: new Map() }
}

function indexOf(storage: Storage, size: number): LineIndex {
  return {
    size,
    add(source, lines) {
      const own = storage.entries.length === size ? storage : copyOf(storage, size)
      append(own, { source, lines })
      return indexOf(own, size + 1)
    },
    reader(lines, mustStay) {
      return readerOf(storage, size, numbersOf(storage, lines, mustStay))
    },
  }
}

/** A branch: an index that was added to twice. */
function copyOf(storage: Storage, size: number): Storage {
  const copy = emptyStorage()
  for (const entry of storage.entries.slice(0, size)) append(copy, entry)
  return copy
}

function append(storage: Storage, { source, lines }: Pick<Entry, 'source' | 'lines'>): void {
  const { entries, numbers, sequence } = storage
  const start = sequence.length
  entries.push({ source, lines, start })
  for (const line of lines) {
    let number = 0
    if (readMarker(line) === undefined) {
      number = numbers.get(line) ?? numbers.size + 1
      numbers.set(line, number)
    }
    sequence.push(number)
  }
  for (let at = start; at + 2 < sequence.length; at++) {
    const triple = tripleAt(sequence, at)
    if (triple !== undefined) post(storage.triples, triple, at)
  }
  sequence.push(0)
}

function post(postings: Storage['triples'], key: number, position: number): void {
  const places = postings.get(key)
  if (places === undefined) postings.set(key, position)
  else if (typeof places === 'number') postings.set(key, [places, position])
  else places.push(position)
}

/** A hash of three lines that follow one another; undefined where one of them is none. */
function tripleAt(numbers: ArrayLike<number>, at: number): number | undefined {
  const first = numbers[at] ?? 0
  const second = numbers[at + 1] ?? 0
  const third = numbers[at + 2] ?? 0
  if (first <= 0 || second <= 0 || third <= 0) return undefined
  return Math.imul(Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) ^ third, 0xc2b2ae35)
}

function numbersOf(storage: Storage, lines: readonly string[], mustStay: (line: string) => boolean): Int32Array {
  const numbers = new Int32Array(lines.length)
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const number = storage.numbers.get(line)
    numbers[index] = number === undefined || mustStay(line) ? -1 : number
  }
  return numbers
}

function readerOf(storage: Storage, size: number, numbers: Int32Array): RunReader {
  const end = endOf(storage, size)
  return {
    longestRun(from) {
      let best = 0
      let bestAt = -1
      const places = placesOf(storage, numbers, from)
      const visible = countBelow(places, end)
      for (let index = 0; index < visible; index++) {
        if (index === maxCandidates / 2 && visible > maxCandidates) index = visible - maxCandidates / 2
        const at = places[index] ?? 0
        const length = runLength(storage.sequence, at, numbers, from)
        if (length >= best && length > 0) {
          best = length
          bestAt = at
        }
      }
      return best === 0 ? undefined : runAt(storage, bestAt, best)
    },
  }
}

/** Position behind the last line that a version with `size` entries sees. */
function endOf(storage: Storage, size: number): number {
  return storage.entries[size]?.start ?? storage.sequence.length
}

/** Ascending positions at which the run that begins at `from` may stand. */
function placesOf(storage: Storage, numbers: Int32Array, from: number): readonly number[] {
  const triple = tripleAt(numbers, from)
  const places = (triple === undefined ? undefined : storage.triples.get(triple)) ?? []
  return typeof places === 'number' ? [places] : places
}

/** How many of ascending `places` lie below `end`: a version must not see, nor be disturbed by, what was added later. */
function countBelow(places: readonly number[], end: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < end) low = middle + 1
    else high = middle
  }
  return low
}

/** Items are separated by 0, so a run never leaves its item. */
function runLength(sequence: readonly number[], at: number, numbers: Int32Array, from: number): number {
  let length = 0
  while (from + length < numbers.length && numbers[from + length] === sequence[at + length]) {
    if ((numbers[from + length] ?? 0) <= 0) break
    length++
  }
  return length
}

function runAt(storage: Storage, position: number, length: number): LineRun {
  const entry = entryAt(storage, position)
  const place = { ...(entry?.source ?? nowhere), line: position - (entry?.start ?? 0) + 1 }
  const standsOnce = (offset: number): boolean =>
    entry !== undefined && timesIn(storage, entry).get(storage.sequence[position + offset] ?? 0) === 1
  return { place, length, standsOnce }
}

const nowhere: LineSource = { key: '', step: 0, call: false }

/** How often each line of an item stands in it. */
function timesIn({ sequence }: Storage, entry: Entry): ReadonlyMap<number, number> {
  if (entry.times !== undefined) return entry.times
  const times = new Map<number, number>()
  for (let at = entry.start; at < entry.start + entry.lines.length; at++) {
    const number = sequence[at] ?? 0
    times.set(number, (times.get(number) ?? 0) + 1)
  }
  entry.times = times
  return times
}

function entryAt(storage: Storage, position: number): Entry | undefined {
  let low = 0
  let high = storage.entries.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((storage.entries[middle]?.start ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return storage.entries[low]
}
