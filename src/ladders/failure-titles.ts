import type { Reading, Taken } from './failure-reading.ts'
import { isLibraryPlace, showsCode, statesDetail, statesPlace } from './failure-places.ts'
import { indentOf } from './failure-line.ts'
import { roleOfPlain } from './failure-role.ts'
import { tracebackBlock } from './failure-tracebacks.ts'

const longestSection = 80
const longestListed = 6
const mostDetails = 4
const mostPlaces = 2

/** What a title or heading names, with the message and the place that its section states; no block where a heading heads none. */
export function titledBlock(reading: Reading, start: number, free: number): Taken {
  const { roles } = reading
  const end = sectionEnd(reading, start)
  const before = closes(reading, start, free)
  const found = [...before, ...inSection(reading, start, end)]
  if (found.length > 0) {
    const lines = [...new Set([start, found[0] ?? start, ...nameBelow(reading, start, found), ...found])]
    return { block: { lines, message: found[0] ?? start, title: start, detailed: true }, next: end }
  }
  if (roles[start] === 'heading') return { next: start + 1 }
  return {
    block: { lines: [start], message: start, title: start, detailed: saysWhy(reading, start) },
    next: start + 1,
  }
}

/** The line right below a heading: some runners write the name there. */
function nameBelow({ lines, roles }: Reading, start: number, found: readonly number[]): readonly number[] {
  const below = start + 1
  const isName = roles[start] === 'heading' && (found[0] ?? 0) > below && isText(lines[below] ?? '')
  return isName ? [below] : []
}

/** `FAILED tests/a.py::test_b - assert 1 == 2` says by itself what is wrong. */
function saysWhy({ lines }: Reading, at: number): boolean {
  return / (?:-|»|:) \S/.test((lines[at] ?? '').replace(/^(?:FAILED|FAIL|ERROR):? /, ''))
}

const passed = /^\s*(?:✓|✔|√|ok \d|ok\s|PASS\b|\(pass\)|\[ {7}OK|--- PASS)|\.\.\. ?ok\b|\bPASSED\b|\.{3,}\s+Passed\b/

/** Lines that only list what has failed; what is wrong stands elsewhere, or right below. */
const listed = /\.{3,} ?(?:\*{3})?[A-Z][A-Za-z ]{3,8}\b|^\s*[✕✗✘×❌]/

function sectionEnd(reading: Reading, start: number): number {
  const { lines, roles } = reading
  const own = lines[start] ?? ''
  const isListed = roles[start] === 'title' && listed.test(own)
  if (/^(?:\(fail\)|\[ {2}FAILED)/.test(own)) return start + 1
  const limit = Math.min(lines.length, start + (isListed ? longestListed : longestSection))
  for (let at = start + 1; at < limit; at++) {
    const line = lines[at] ?? ''
    const role = roles[at]
    if (isListed && (line.trim() === '' || (role === 'message' && indentOf(line) <= indentOf(own)))) return at
    if ((role === 'title' || role === 'heading' || role === 'summary') && !isContinued(own, line)) return at
    if (passed.test(line) || /^={3,}/.test(line) || line.startsWith('</')) return at
  }
  return limit
}

/** `    --- FAIL: TestTable/empty` goes on with what the title before it began, `  × …` says what is wrong there. */
function isContinued(title: string, line: string): boolean {
  return indentOf(line) > indentOf(title) && (/^\s+--- FAIL/.test(line) || (title.endsWith('━') && /^\s+×/.test(line)))
}

/** The lines of a section that say what is wrong and where. */
function inSection(reading: Reading, start: number, end: number): readonly number[] {
  const { lines, roles } = reading
  const placed = roles[start] === 'title'
  const trace = indexWhere(start + 1, end, (at) => (lines[at] ?? '').includes('Traceback (most'))
  if (trace !== undefined) {
    const { block } = tracebackBlock(reading, trace)
    const within = (block?.lines ?? []).filter((at) => at < end && at !== trace)
    if (within.length > 0) return within
  }
  const message = indexWhere(start + 1, end, (at) =>
    isMessage(lines[at] ?? '', roles[at] !== undefined, placed && at - start <= 3),
  )
  const first = message ?? told(reading, start, end)
  if (first === undefined) return placed ? placesOf(reading, start, start + 1, end) : []
  const kept = new Set([first])
  for (const at of placesOf(reading, first, start + 1, end)) kept.add(at)
  let details = 0
  for (let at = start + 1; at < end && details < mostDetails; at++) {
    if (kept.has(at) || !isDetail(lines, at, first)) continue
    kept.add(at)
    details++
  }
  return [first, ...[...kept].filter((at) => at !== first)]
}

/** What stands below a title in words of its own. */
function told({ lines }: Reading, start: number, end: number): number | undefined {
  const own = lines[start] ?? ''
  if (!/^\s*(?:not ok|--- FAIL|FAIL:|ERROR:)/.test(own)) return undefined
  const deeper = (line: string): boolean => isText(line) && indentOf(line) > indentOf(own)
  return indexWhere(start + 1, Math.min(end, start + 3), (at) => deeper(lines[at] ?? ''))
}

function isDetail(lines: readonly string[], at: number, message: number): boolean {
  const line = lines[at] ?? ''
  return statesDetail(line) || (at === message + 1 && isText(line) && !showsCode(line))
}

/** What stands behind a place is a message only below what says that it failed. */
function isMessage(line: string, hasRole: boolean, placed: boolean): boolean {
  if (hasRole || /^\s*E {3,}\S/.test(line) || (placed && /^\s*[^\s:]{1,200}:\d{1,7}(?::\d{1,6})?: \S/.test(line)))
    return true
  const bare = line.trimStart()
  const role = roleOfPlain(bare)
  return role === 'message' || role === 'certain' || statesDetail(line) || /\bfailed[.:]?$/.test(bare)
}

function isText(line: string): boolean {
  return /\w/.test(line) && !/^[\s=_-]+$/.test(line) && !statesPlace(line)
}

function indexWhere(from: number, to: number, matches: (at: number) => boolean): number | undefined {
  for (let at = from; at < to; at++) if (matches(at)) return at
  return undefined
}

/** The first places of one's own code after the message, else the nearest before it, else any. */
function placesOf({ lines }: Reading, message: number, from: number, to: number): readonly number[] {
  const own = (at: number): boolean => statesPlace(lines[at] ?? '') && !isLibraryPlace(lines[at] ?? '')
  const found: number[] = []
  for (let at = message + 1; at < to && found.length < mostPlaces; at++) if (own(at)) found.push(at)
  if (found.length > 0) return found
  for (let at = message - 1; at >= from; at--) if (own(at)) return [at]
  const any = indexWhere(message + 1, to, (at) => statesPlace(lines[at] ?? ''))
  return any === undefined ? [] : [any]
}

const closingReach = 8

/** Of a title that stands behind what it names, as Go writes where all tests are shown: the indented lines before it. */
function closes({ lines, roles }: Reading, start: number, free: number): readonly number[] {
  const line = lines[start] ?? ''
  if (!/^\s*--- FAIL/.test(line)) return []
  const found: number[] = []
  for (let at = start - 1; at >= Math.max(free, start - closingReach); at--) {
    if (roles[at] === 'heading' || roles[at] === 'title' || !/^\s+\S/.test(lines[at] ?? '')) break
    found.unshift(at)
  }
  return found.slice(0, 5)
}
