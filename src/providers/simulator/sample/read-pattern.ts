/** A regular expression, read. */
export type PatternPart =
  | { readonly kind: 'characters'; readonly characters: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternPart[] }
  | { readonly kind: 'repeat'; readonly part: PatternPart; readonly least: number; readonly most: number }

/** How far an expression is read. */
interface Cursor {
  readonly pattern: string
  at: number
  readonly depth: number
}

const longestPattern = 1000
const deepest = 50

/** Undefined for an expression that has more than characters, classes, groups, alternatives, repetitions, and anchors at its ends. */
export function readPattern(pattern: string): PatternPart | undefined {
  if (pattern.length > longestPattern) return undefined
  const cursor: Cursor = { pattern, at: 0, depth: 0 }
  const part = choice(cursor)
  return cursor.at === pattern.length ? part : undefined
}

function choice(cursor: Cursor): PatternPart | undefined {
  const parts: PatternPart[] = []
  do {
    const part = sequence(cursor)
    if (part === undefined) return undefined
    parts.push(part)
  } while (taken(cursor, '|'))
  return { kind: 'choice', parts }
}

function sequence(cursor: Cursor): PatternPart | undefined {
  const parts: PatternPart[] = []
  if (cursor.depth === 0) taken(cursor, '^')
  while (cursor.at < cursor.pattern.length && !'|)'.includes(peek(cursor))) {
    if (cursor.depth === 0 && isEnd(cursor)) {
      cursor.at += 1
      break
    }
    const part = atom(cursor)
    const times = part && repetition(cursor)
    if (part === undefined || times === undefined) return undefined
    parts.push(times === 'once' ? part : { kind: 'repeat', part, ...times })
  }
  return { kind: 'sequence', parts }
}

function isEnd({ pattern, at }: Cursor): boolean {
  return pattern[at] === '$' && (at + 1 === pattern.length || pattern[at + 1] === '|')
}

function peek({ pattern, at }: Cursor): string {
  return pattern[at] ?? ''
}

function taken(cursor: Cursor, text: string): boolean {
  if (!cursor.pattern.startsWith(text, cursor.at)) return false
  cursor.at += text.length
  return true
}

function atom(cursor: Cursor): PatternPart | undefined {
  const next = peek(cursor)
  cursor.at += 1
  if (next === '(') return group(cursor)
  if (next === '[') return characters(classOf(cursor))
  if (next === '\\') return characters(escaped(cursor))
  if (next === '.') return characters(letters)
  return '^$*+?{}]'.includes(next) ? undefined : characters(next)
}

function characters(found: string | undefined): PatternPart | undefined {
  return found === undefined || found === '' ? undefined : { kind: 'characters', characters: found }
}

function group(cursor: Cursor): PatternPart | undefined {
  const opening = /(?:\?:|\?P?<[A-Za-z_]\w*>)?/y
  opening.lastIndex = cursor.at
  const inner: Cursor = {
    ...cursor,
    depth: cursor.depth + 1,
    at: cursor.at + (opening.exec(cursor.pattern)?.[0].length ?? 0),
  }
  if (inner.depth > deepest) return undefined
  const part = choice(inner)
  cursor.at = inner.at
  return part !== undefined && taken(cursor, ')') ? part : undefined
}

interface Times {
  readonly least: number
  readonly most: number
}

const quantifier = /([*+?])|\{(\d+)(?:(,)(\d*))?\}/y

/** Undefined where braces hold something else, or a quantifier follows that is no lazy one. */
function repetition(cursor: Cursor): Times | 'once' | undefined {
  quantifier.lastIndex = cursor.at
  const found = quantifier.exec(cursor.pattern)
  if (found === null) return peek(cursor) === '{' ? undefined : 'once'
  cursor.at += found[0].length
  taken(cursor, '?')
  if ('*+?{'.includes(peek(cursor)) && peek(cursor) !== '') return undefined
  const [, sign, low, comma, high] = found
  if (sign !== undefined) return { least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity }
  const least = Number(low)
  const most = high === undefined || high === '' ? (comma === undefined ? least : Infinity) : Number(high)
  return most < least ? undefined : { least, most }
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')

const classes: Readonly<Record<string, string>> = {
  d: digits,
  w: `${letters}${digits}_`,
  s: ' ',
  D: letters,
  W: ' -',
  S: letters,
  n: '\n',
  r: '\r',
  t: '\t',
}

/** The characters after a backslash; undefined for what stands for no character of its own, such as a word boundary. */
function escaped(cursor: Cursor): string | undefined {
  const next = peek(cursor)
  cursor.at += 1
  if (classes[next] !== undefined) return classes[next]
  return /[A-Za-z0-9]/.test(next) || next === '' ? undefined : next
}

function classOf(cursor: Cursor): string | undefined {
  const isNegated = taken(cursor, '^')
  let found = ''
  while (peek(cursor) !== ']') {
    if (peek(cursor) === '' || '[&'.includes(peek(cursor))) return undefined
    const from = classMember(cursor)
    if (from === undefined) return undefined
    const isRange = peek(cursor) === '-' && cursor.pattern[cursor.at + 1] !== ']'
    if (isRange) cursor.at += 1
    const to = isRange ? classMember(cursor) : from
    if (to === undefined || (isRange && (from.length > 1 || to.length > 1 || to < from))) return undefined
    found += isRange ? rangeOf(from, to) : from
  }
  cursor.at += 1
  if (!isNegated) return found
  return [...`${letters}${digits}${printable}`].filter((each) => !found.includes(each)).join('')
}

function classMember(cursor: Cursor): string | undefined {
  const next = peek(cursor)
  cursor.at += 1
  return next === '\\' ? escaped(cursor) : next
}

function rangeOf(from: string, to: string): string {
  const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)]
  // Enough to tell values apart; negated classes look at printable characters only.
  return Array.from({ length: Math.min(high - low + 1, 128) }, (_, index) => String.fromCharCode(low + index)).join('')
}
