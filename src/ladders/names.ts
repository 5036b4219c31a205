/** Kinds of characters in words that are joined by the marks that identifiers, paths and dotted names use. */
const OTHER = 0
const SMALL = 1
const CAPITAL = 2
const DIGIT = 3
const UNDERSCORE = 4
const JOIN = 5

const kinds = Uint8Array.from({ length: 128 }, (_, unit) => kindOf(String.fromCharCode(unit)))

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
    const end = wordEnd(line, at, size)
    if (end - at >= shortest) {
      const inner = structureIn(line, at, end)
      if (inner !== PLAIN) names = (names ?? new Set()).add(line.slice(at, end))
      if (inner === JOINED && names !== undefined) addParts(names, line, { start: at, end })
    }
    at = end
  }
  return names === undefined ? [] : [...names]
}

function kindAt(line: string, at: number): number {
  return kinds[line.charCodeAt(at)] ?? OTHER
}

/** Marks belong to a word where it goes on behind them. */
function wordEnd(line: string, start: number, size: number): number {
  let end = start + 1
  for (let at = end; at < size; at += 1) {
    const kind = kindAt(line, at)
    if (kind === OTHER) break
    if (kind !== JOIN) end = at + 1
  }
  return end
}

const PLAIN = 0
const HUMPED = 1
const JOINED = 2

/** Whether a word is of several, or of one that has an underscore within or a capital behind a small letter or a digit. */
function structureIn(line: string, start: number, end: number): number {
  let structure = PLAIN
  let before = OTHER
  for (let at = start; at < end; at += 1) {
    const kind = kindAt(line, at)
    if (kind === JOIN) return JOINED
    if (isHump(before, kind) || (kind === UNDERSCORE && at > start)) structure = HUMPED
    before = kind
  }
  return structure
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
