import { closeReading } from './close-reading.ts'
import type { Excerpt, TextLines, UnreadLines } from './text-lines.ts'

/**
 * The lines of a very long text that are read: the beginning and the end, those that must stand with what is around them, lines unlike all
 * others, blocks at even distances, and for each stretch the lines that open what it stands in. Linear in the text, and bounded by `closeReading`.
 */
export function excerptOf(text: UnreadLines, { mustStand, wanted = [] }: ExcerptLines): ExcerptText {
  const taken = new Uint8Array(text.lines.length)
  const room = roomIn(text, taken)
  takeEnds(text, room, shareOfEnds / 2)
  for (const at of mustStand) room.force(at)
  for (const at of mustStand) for (let near = at - aroundLine; near <= at + aroundLine; near += 1) room.take(near)
  takeNear(room, wanted, shareOfWanted)
  takeNear(room, rareLines(text), shareOfRare)
  takeEnds(text, room, shareOfEnds)
  takeBlocks(text, room)
  takeOpeners(text, taken)
  fillShortGaps(text, taken)
  return withGaps(text, taken)
}

export interface ExcerptText extends TextLines {
  readonly excerpt: Excerpt
}

export interface ExcerptLines {
  /** Indexes of lines that an excerpt has, whatever room they take. */
  readonly mustStand: readonly number[]
  /** Indexes of lines that it has where there is room. */
  readonly wanted?: readonly number[]
}

/** Lines before and behind one that must stand. */
const aroundLine = 2
/** Of what is read, the share that is the beginning and the end, and how much of that is the beginning. */
const shareOfEnds = 0.6
const shareOfBeginning = 0.6

interface Room {
  /** Takes a line whatever it is. */
  force(at: number): void
  /** Takes a line where there is room for it. */
  take(at: number): boolean
  /** Share of the room that is used. */
  used(): number
}

function roomIn({ lines }: UnreadLines, taken: Uint8Array): Room {
  let left = closeReading.lines
  let characters: number = closeReading.characters
  const force = (at: number): void => {
    if (taken[at] !== 0) return
    taken[at] = 1
    left -= 1
    characters -= (lines[at]?.length ?? 0) + 1
  }
  return {
    force,
    take(at) {
      if (taken[at] !== 0) return taken[at] === 1
      if (left < 1 || characters <= (lines[at]?.length ?? 0)) return false
      force(at)
      return true
    },
    used: () => 1 - Math.min(left / closeReading.lines, characters / closeReading.characters),
  }
}

/** The beginning and the end, until that share of the room is used. */
function takeEnds({ lines }: UnreadLines, room: Room, share: number): void {
  const before = room.used()
  const beginning = before + (share - before) * shareOfBeginning
  for (let at = 0; at < lines.length && room.used() < beginning; at += 1) if (!room.take(at)) break
  for (let at = lines.length - 1; at >= 0 && room.used() < share; at -= 1) if (!room.take(at)) break
}

/** Of what is read, at most these shares are lines that are wanted, and lines unlike all others. */
const shareOfWanted = 0.2
const shareOfRare = 0.2
const mostRare = 400
const shapeBits = 16
const shapeLength = 80

/** Lines that are unlike all others but for their figures, where they are few: most lines of a log have their like. */
function rareLines({ lines }: UnreadLines): readonly number[] {
  const shapes = new Uint16Array(lines.length)
  const times = new Uint32Array(1 << shapeBits)
  for (let at = 0; at < shapes.length; at += 1) {
    const shape = shapeOf(lines[at] ?? '')
    shapes[at] = shape
    times[shape] = (times[shape] ?? 0) + 1
  }
  const rare: number[] = []
  for (let at = 0; at < shapes.length && rare.length <= mostRare; at += 1)
    if (times[shapes[at] ?? 0] === 1 && lines[at] !== '') rare.push(at)
  return rare.length > mostRare ? [] : rare
}

/** Takes lines with one before and one behind, until that share of the room is used. */
function takeNear(room: Room, lines: readonly number[], share: number): void {
  const most = room.used() + share
  for (const at of lines)
    for (let near = at - 1; near <= at + 1; near += 1) if (room.used() > most || !room.take(near)) break
}

/** What a line is like, as a number. */
function shapeOf(line: string): number {
  const end = Math.min(line.length, shapeLength)
  let hash = 0x811c9dc5
  let before = 0
  for (let at = 0; at < end; at += 1) {
    const unit = line.charCodeAt(at)
    const code = unit >= zero && unit <= nine ? zero : unit
    if (code !== zero || before !== zero) hash = Math.imul(hash ^ code, 0x01000193)
    before = code
  }
  return (hash ^ (hash >>> shapeBits)) & ((1 << shapeBits) - 1)
}

const zero = 48
const nine = 57

/** Blocks at even distances, as many as there is room for. */
function takeBlocks({ lines }: UnreadLines, room: Room): void {
  const share = 1 - room.used()
  const byLines = (share * closeReading.lines) / closeReading.blockLines
  const blockCharacters = (closeReading.blockLines * charactersIn(lines)) / lines.length
  const byLength = (share * closeReading.characters) / Math.max(1, blockCharacters)
  const blocks = Math.floor(Math.min(byLines, byLength))
  for (let block = 0; block < blocks; block += 1) {
    const first = Math.floor(((block + 0.5) * lines.length) / blocks)
    for (let at = first; at < first + closeReading.blockLines; at += 1) if (!room.take(at)) break
  }
}

/** With a break for each line. */
function charactersIn(lines: readonly string[], first = 0, end = lines.length): number {
  let sum = 0
  for (let at = first; at < end; at += 1) sum += (lines[at]?.length ?? 0) + 1
  return sum
}

/** Lines before one that are looked at for what opens what it stands in, and how many such lines are taken. */
const lookedBack = 200
const mostOpeners = 8

/** Takes the lines that open what the first line of each taken stretch stands in: without them it would seem to belong to what is shown before it. */
function takeOpeners(text: UnreadLines, taken: Uint8Array): void {
  for (let at = 1; at < taken.length; at += 1) {
    if (taken[at] === 0 || taken[at - 1] === 1) continue
    let depth = text.depthAt(at)
    let openers = 0
    for (let before = at - 1; before >= Math.max(0, at - lookedBack) && openers < mostOpeners; before -= 1) {
      const own = text.depthAt(before)
      if (!(own < depth)) continue
      depth = own
      openers += 1
      taken[before] = 1
    }
  }
}

/** A stretch up to this many characters is no gap. */
const shortestGap = 80

function fillShortGaps({ lines }: UnreadLines, taken: Uint8Array): void {
  for (let at = 0; at < taken.length; at += 1) {
    const first = at
    let length = 0
    while (at < taken.length && taken[at] === 0) length += (lines[at++]?.length ?? 0) + 1
    if (length <= shortestGap) taken.fill(1, first, at)
  }
}

function withGaps(text: UnreadLines, taken: Uint8Array): ExcerptText {
  const places = [...placesIn(taken)]
  const isGap = (place: number): boolean => taken[place] === 0
  const own = places.map((place) => (isGap(place) ? '' : (text.lines[place] ?? '')))
  const lengths = Float64Array.from(own, ({ length }) => length)
  for (const [at, place] of places.entries())
    if (isGap(place)) lengths[at] = charactersIn(text.lines, place, places[at + 1]) - 1
  return {
    kind: text.kind,
    lines: own,
    joined: Uint8Array.from(places, (place) => (isGap(place) ? 0 : (text.joined[place] ?? 0))),
    depths: Float64Array.from(places, (place) => (isGap(place) ? Number.NaN : text.depthAt(place))),
    excerpt: {
      places: Uint32Array.from([...places, taken.length]),
      lengths,
      gaps: Uint8Array.from(places, (place) => Number(isGap(place))),
    },
  }
}

/** Each line that is taken, and the first one of each gap. */
function* placesIn(taken: Uint8Array): Generator<number> {
  for (let at = 0; at < taken.length; at += 1) if (taken[at] === 1 || at === 0 || taken[at - 1] === 1) yield at
}
