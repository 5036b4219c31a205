import type { Reading, Taken } from './failure-reading.ts'
import { holdsPlace, isLibraryPlace, showsCode, statesDetail, statesPlace } from './failure-places.ts'

/** How far around a message its place, and how far before it its heading is looked for. */
const placeReach = 9
const headingReach = 14
const headingReachOfLists = 120
const mostLines = 7

/** A message that no title names: with its place, the code below it, and the heading it stands under. */
export function messageBlock(reading: Reading, start: number, free: number): Taken {
  const { lines } = reading
  const run = sameSpeaker(reading, start)
  if (run > start) return spokenRun(reading, start, run)
  if (saysNothing.test(lines[start] ?? ''))
    return { block: { lines: [start], message: start, detailed: false }, next: start + 1 }
  const kept = new Set([start])
  const heading = headingOf(reading, start, free)
  if (heading !== undefined) kept.add(heading)
  const end = endOfMessage(reading, start)
  let placed =
    (holdsPlace(lines[start] ?? '') && !isLibraryPlace(lines[start] ?? '')) || namesFile.test(lines[start] ?? '')
  let last = start
  for (let at = start + 1; at < end && kept.size < mostLines; at++) {
    const line = lines[at] ?? ''
    const isPlace = statesPlace(line) && !isLibraryPlace(line)
    const near = at - start <= 5 && line.trim() !== '' && (/^\s/.test(line) || announced(reading, start, at))
    if (
      (isPlace && !placed) ||
      statesDetail(line) ||
      (near && showsCode(line)) ||
      (near && (at - start <= 2 || announced(reading, start, at)))
    ) {
      kept.add(at)
      last = at
    }
    placed ||= isPlace
  }
  if (!placed) {
    const before = placeBefore(reading, start, free) ?? placeAfter(reading, start, end)
    if (before !== undefined) kept.add(before)
    if (before !== undefined) last = Math.max(last, before)
  }
  const kind = heading !== undefined ? { title: heading } : {}
  return {
    block: { lines: [...kept], message: start, detailed: true, ...kind },
    next: Math.max(last, start) + 1,
  }
}

/** What is not there has no place: one that stands near is of something else. */
const namesFile = /^[A-Za-z]{1,12}: .{0,40}\b(?:not found|No such file or directory): ?\S/

/** Up to the next failure, the next empty line but one, or as far as a place may stand. */
function endOfMessage({ lines, roles }: Reading, start: number): number {
  const limit = Math.min(lines.length, start + placeReach)
  let blanks = 0
  for (let at = start + 1; at < limit; at++) {
    const line = lines[at] ?? ''
    if (line.trim() === '' && ++blanks > 2) return at
    const role = roles[at]
    if (role === 'heading' || role === 'title') return at
    if (role !== undefined && !announced({ lines, roles }, start, at)) return at
  }
  return limit
}

/** Whether nothing but announcements, which end in colons, stand between. */
function announced({ lines }: Reading, start: number, at: number): boolean {
  return lines.slice(start, at).every((line) => line.trim() === '' || line.endsWith(':'))
}

/** A place in the lines just before, where a tool shows it first. */
function placeBefore({ lines, roles }: Reading, start: number, free: number): number | undefined {
  for (let at = start - 1; at >= Math.max(free, start - placeReach); at--) {
    if (roles[at] !== undefined && roles[at] !== 'heading') return undefined
    const line = lines[at] ?? ''
    if (statesPlace(line) && !isLibraryPlace(line)) return at
  }
  return undefined
}

/** Any place at all, a library's too. */
function placeAfter({ lines }: Reading, start: number, end: number): number | undefined {
  for (let at = start + 1; at < end; at++) if (statesPlace(lines[at] ?? '')) return at
  return undefined
}

/** What a message stands under: a heading, or, of lists of places in a file, the line that names the file. */
function headingOf({ lines, roles }: Reading, start: number, free: number): number | undefined {
  const line = lines[start] ?? ''
  if (/^\s{1,8}\d{1,7}:\d{1,5}\s/.test(line)) {
    for (let at = start - 1; at >= Math.max(0, start - headingReachOfLists); at--) {
      if (isOutermost(lines[at] ?? '')) return at
    }
    return undefined
  }
  for (let at = start - 1; at >= Math.max(free, start - headingReach); at--) {
    if (roles[at] === 'heading') return at
    if (roles[at] !== undefined) return undefined
  }
  return undefined
}

/** Whether a line begins with neither blank nor break; asked of many lines for each message. */
function isOutermost(line: string): boolean {
  const code = line.charCodeAt(0)
  return code > 32 && code < 127 ? true : code !== 32 && /^\S/.test(line)
}

const speaker = /^(?:npm (?:ERR!|error)|pnpm (?:ERR!|error)|error Command|\[(?:ERROR|error)\])(?=\s|$)/

/** The last line of a run in which one tool goes on about one failure. */
function sameSpeaker({ lines }: Reading, start: number): number {
  const own = speaker.exec(lines[start] ?? '')?.[0]
  if (own === undefined) return start
  let at = start
  while (at + 1 < lines.length && (lines[at + 1] ?? '').startsWith(own) && !holdsOwnPlace(lines[at + 1] ?? '')) at++
  return at
}

function holdsOwnPlace(line: string): boolean {
  return /\.\w{1,8}:(?:\d|\[\d)/.test(line.slice(0, 300))
}

const saysNothing =
  /^(?:npm|pnpm) (?:ERR!|error)(?:\s*$| (?:path|workspace|location|errno|syscall|command|cwd|node|code \d|4\d\d\s*$|A complete log|Find its logs|For a full report|This is probably not|To see a list)| {2,})|^\[(?:ERROR|error)\](?:\s*$| COMPILATION ERROR| {1,4}(?:-> |To see the full|Re-run |For more information|After correcting|\[Help|\s*\^|\|))/

const mostOfRun = 4

/** Of such a run the first lines that say something. */
function spokenRun({ lines }: Reading, start: number, end: number): Taken {
  const telling: number[] = []
  for (let at = start; at <= end && telling.length < mostOfRun; at++) {
    if (!saysNothing.test(lines[at] ?? '')) telling.push(at)
  }
  const kept = telling.length === 0 ? [start] : telling
  return { block: { lines: kept, message: kept[0] ?? start, detailed: telling.length > 0 }, next: end + 1 }
}
