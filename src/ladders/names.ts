/** Kinds of characters in words that are joined by the marks that identifiers, paths and dotted names use. */
const OTHER = 0
const SMALL = 1
const CAPITAL = 2
const DIGIT = 3
const UNDERSCORE = 4
const JOIN = 5

/** Of every unit that there is: to read beyond a table costs more than all of them take up. */
const kinds = new Uint8Array(0x1_00_00)
for (let unit = 0; unit < 128; unit += 1) kinds[unit] = kindOf(String.fromCharCode(unit))

function kindOf(char: string): number {
  if (/[a-z]/.test(char)) return SMALL
  if (/[A-Z]/.test(char)) return CAPITAL
  if (/\d/.test(char)) return DIGIT
  if (char === '_') return UNDERSCORE
  return /[./-]/.test(char) ? JOIN : OTHER
}

const shortest = 5
/** Longer lines are data, not text; their names are not worth reading. */
const longestLine = 4000

/**
 * The names in a line: identifiers with inner structure, paths, dotted names and their parts. These are what a later
 * step can only write correctly if it has read them.
 */
export function namesIn(line: string): readonly string[] {
  let names: Set<string> | undefined
  const size = Math.min(line.length, longestLine)
  for (let at = 0; at < size; at += 1) {
    const kind = kindAt(line, at)
    if (kind !== SMALL && kind !== CAPITAL && kind !== UNDERSCORE) continue
    const word = readWord(line, at, size)
    const end = word >> STRUCTURE_BITS
    const structure = word & STRUCTURE
    if (structure !== PLAIN && end - at >= shortest) {
      names = (names ?? new Set()).add(line.slice(at, end))
      if (structure === JOINED) addParts(names, line, { start: at, end })
    }
    at = end
  }
  return names === undefined ? [] : [...names]
}

function kindAt(line: string, at: number): number {
  return kinds[line.charCodeAt(at)] ?? OTHER
}

const PLAIN = 0
/** Of one part, with an underscore within or a capital behind a small letter or a digit. */
const HUMPED = 1
/** Of several parts. */
const JOINED = 2
const STRUCTURE = 3
const STRUCTURE_BITS = 2

/** Where a word ends and how it is built, in one number, since there are too many for an object each. Marks belong to a word where it goes on behind them. */
function readWord(line: string, start: number, size: number): number {
  let end = start
  let structure = PLAIN
  let before = OTHER
  let joins = false
  for (let at = start; at < size; at += 1) {
    const kind = kindAt(line, at)
    if (kind === OTHER) break
    if (kind === JOIN) joins = true
    else {
      end = at + 1
      if (joins) structure = JOINED
      else if (isHump(before, kind) || (kind === UNDERSCORE && at > start)) structure = HUMPED
    }
    before = kind
  }
  return (end << STRUCTURE_BITS) | structure
}

function isHump(before: number, kind: number): boolean {
  return kind === CAPITAL && (before === SMALL || before === DIGIT)
}

interface Word {
  readonly start: number
  readonly end: number
}

/** Adds the parts of a word that are names by themselves. */
function addParts(names: Set<string>, line: string, { start, end }: Word): void {
  let from = start
  let before = OTHER
  let isName = false
  for (let at = start; at <= end; at += 1) {
    const kind = at === end ? JOIN : kindAt(line, at)
    if (kind !== JOIN) {
      isName ||= kind === UNDERSCORE || isHump(before, kind)
      before = kind
      continue
    }
    if (isName && at - from >= shortest) names.add(line.slice(from, at))
    from = at + 1
    before = OTHER
    isName = false
  }
}
