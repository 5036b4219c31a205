import { eitherOf } from './either-of.ts'

/**
 * By which of its forms a text can be found at all: an anchored form leaves little choice of the first character, and most texts have
 * one that most forms cannot begin with. To look that up costs less than to try them.
 */

/** Stands for all characters beyond ASCII. */
const BEYOND = 128
/** Of a text that is blank. */
const NONE = 129
const SLOTS = 130

/** The first character of a text that is no blank of ASCII, as a slot. */
export function firstMark(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (!isBlank(unit)) return unit < BEYOND ? unit : BEYOND
  }
  return NONE
}

function isBlank(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13)
}

/** Values by the first mark of a text: of each slot those whose form a text may have that begins so, in their order. */
export function byFirstMark<Value>(
  values: readonly Value[],
  formOf: (value: Value) => RegExp,
): (text: string) => readonly Value[] {
  let slots: readonly (readonly Value[])[] | undefined
  return (text) => (slots ??= bySlot(values, formOf))[firstMark(text)] ?? values
}

function bySlot<Value>(values: readonly Value[], formOf: (value: Value) => RegExp): readonly (readonly Value[])[] {
  const marks = values.map((value) => firstMarksOf(formOf(value)))
  return Array.from({ length: SLOTS }, (_, slot) => values.filter((_each, at) => marks[at]?.[slot] === 1))
}

/** Whether a text has any of some forms: those that it can have by its first mark are tried, all in one look. */
export function anyByFirstMark(forms: readonly RegExp[]): (text: string) => boolean {
  let looks: readonly (readonly RegExp[])[] | undefined
  return (text) => {
    looks ??= bySlot(forms.flatMap(alternativesOf), (form) => form).map(eitherOf)
    return looks[firstMark(text)]?.some((form) => form.test(text)) === true
  }
}

/** The alternatives of a form, each a form of its own. */
export function alternativesOf({ source, flags }: RegExp): readonly RegExp[] {
  const { alternatives } = readAlternatives(source, 0, flags)
  return alternatives.map(({ start, end }) => new RegExp(source.slice(start, end), flags))
}

/** 1 for each slot that a text with this form may have; more slots than that where it is not clear. */
export function firstMarksOf({ source, flags }: RegExp): Uint8Array {
  const marks = new Uint8Array(SLOTS)
  for (const { start, first } of readAlternatives(source, 0, flags).alternatives) {
    const isAnchored = source[start] === '^' && !flags.includes('m')
    if (!isAnchored || first.canBeEmpty) return marks.fill(1)
    add(marks, first.marks)
  }
  return marks
}

/** The first marks of what a part of a form stands for. */
interface First {
  readonly marks: Uint8Array
  /** It may stand for nothing, or for blanks alone. */
  readonly canBeEmpty: boolean
}

interface Alternative {
  readonly start: number
  readonly end: number
  readonly first: First
}

interface Read {
  readonly alternatives: readonly Alternative[]
  /** Behind the last, which is at a closing parenthesis or at the end. */
  readonly end: number
}

function readAlternatives(source: string, from: number, flags: string): Read {
  const alternatives: Alternative[] = []
  let start = from
  for (;;) {
    const { first, end } = readSequence(source, start, flags)
    alternatives.push({ start, end, first })
    if (source[end] !== '|') return { alternatives, end }
    start = end + 1
  }
}

interface ReadPart {
  readonly first: First
  readonly end: number
}

const nothing: First = { marks: new Uint8Array(SLOTS), canBeEmpty: true }

function readSequence(source: string, from: number, flags: string): ReadPart {
  const marks = new Uint8Array(SLOTS)
  let end = from
  while (end < source.length && source[end] !== '|' && source[end] !== ')') {
    const atom = readAtom(source, end, flags)
    const { isOptional, end: behind } = readQuantifier(source, atom.end)
    add(marks, atom.first.marks)
    end = behind
    if (!isOptional && !atom.first.canBeEmpty)
      return { first: { marks, canBeEmpty: false }, end: sequenceEnd(source, end) }
  }
  return { first: { marks, canBeEmpty: true }, end }
}

/** Where the sequence ends that goes on here. */
function sequenceEnd(source: string, from: number): number {
  let depth = 0
  pieceForm.lastIndex = from
  for (let piece = pieceForm.exec(source); piece !== null; piece = pieceForm.exec(source)) {
    const [mark] = piece
    if (mark === '(') depth += 1
    else if (depth === 0 && (mark === '|' || mark === ')')) return piece.index
    else if (mark === ')') depth -= 1
  }
  return source.length
}

/** What begins or ends a part, and what may hold the same characters without doing so. */
const pieceForm = /\[(?:\\[\s\S]|[^\]\\])*\]|\\[\s\S]|[|()]/g

function readAtom(source: string, at: number, flags: string): ReadPart {
  const [around] = /^(?:\(\?<?[=!]|\((?:\?(?::|<\w+>))?)/.exec(source.slice(at)) ?? []
  if (around !== undefined) {
    const { alternatives, end } = readAlternatives(source, at + around.length, flags)
    return { first: /[=!]$/.test(around) ? nothing : either(alternatives), end: end + 1 }
  }
  const [atom = ''] = atomForm.exec(source.slice(at)) ?? []
  const isEdge = atom === '^' || atom === '$' || /^\\[bB]$/.test(atom)
  return { first: isEdge ? nothing : knownAtom(atom, flags), end: at + atom.length }
}

const atoms = new Map<string, First>()

function knownAtom(atom: string, flags: string): First {
  const key = `${flags} ${atom}`
  const first = atoms.get(key) ?? marksOfAtom(atom, flags)
  atoms.set(key, first)
  return first
}

/** A class, an escape, or a character that stands for itself. */
const atomForm =
  /^(?:\[(?:\\[\s\S]|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[\s\S])|[\s\S])/u

function marksOfAtom(atom: string, flags: string): First {
  const isPlain = atom.length === 1 && atom !== '.' && atom.charCodeAt(0) < BEYOND
  const anyCase = flags.includes('i')
  const marks = new Uint8Array(SLOTS)
  if (!isPlain || anyCase) marks[BEYOND] = 1
  const units = isPlain ? unitsOf(anyCase ? atom.toLowerCase() + atom.toUpperCase() : atom) : unitsLike(atom, flags)
  for (const unit of units) if (!isBlank(unit)) marks[unit] = 1
  return { marks, canBeEmpty: units.some(isBlank) }
}

function unitsOf(text: string): readonly number[] {
  return Array.from(text, (char) => char.charCodeAt(0))
}

/** The characters of ASCII that a class or an escape stands for. */
function unitsLike(atom: string, flags: string): readonly number[] {
  const form = new RegExp(`^${atom}$`, flags)
  return Array.from({ length: BEYOND }, (_, unit) => unit).filter((unit) => form.test(String.fromCharCode(unit)))
}

function either(alternatives: readonly Alternative[]): First {
  const marks = new Uint8Array(SLOTS)
  for (const { first } of alternatives) add(marks, first.marks)
  return { marks, canBeEmpty: alternatives.some(({ first }) => first.canBeEmpty) }
}

function add(marks: Uint8Array, others: Uint8Array): void {
  for (let slot = 0; slot < SLOTS; slot += 1) if (others[slot] === 1) marks[slot] = 1
}

function readQuantifier(source: string, at: number): { readonly isOptional: boolean; readonly end: number } {
  const [quantifier = ''] = /^(?:[?*+]|\{\d+(?:,\d*)?\})\??/.exec(source.slice(at)) ?? []
  return { isOptional: /^(?:[?*]|\{0+[,}])/.test(quantifier), end: at + quantifier.length }
}
