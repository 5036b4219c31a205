import { longestMarker, mayBeMarker, readMarker } from '../../ladders/index.ts'

/** A line of a call's arguments that has the form of one of our markers; whether it is one, the resolver knows. */
export interface MarkerLine {
  /** As it stands in the arguments; what is not resolved goes out so. */
  readonly raw: string
  /** What it says, without blanks behind it. */
  readonly text: string
  /** What stands before it on its line: blanks, or the `+` or `-` of a patch. */
  readonly lead: string
  /** The line before it; undefined where it is the first, or too far away to be seen. */
  readonly lineBefore?: string
}

export interface MarkerReaderState {
  /** The last characters that were passed on or read as a marker. */
  readonly tail: string
  /** Characters that may be the beginning of a marker. */
  readonly held: string
}

/** Text as it came, and markers, in order. */
type Output = readonly (string | MarkerLine)[]

export interface MarkerStep {
  readonly state: MarkerReaderState
  readonly output: Output
}

/**
 * Finds marker lines in the arguments of a call that come in fragments. Holds back only the beginning of a line that may
 * yet become a marker; where fragments are cut changes nothing.
 */
export interface MarkerReader {
  readonly initial: MarkerReaderState
  step(state: MarkerReaderState, fragment: string): MarkerStep
  /** What is left when no more is to come. */
  end(state: MarkerReaderState): Output
}

/** How arguments are written: as JSON, in whose strings lines stand, or as they are. */
export type ArgumentsForm = 'json' | 'plain'

export function markerReader(form: ArgumentsForm): MarkerReader {
  return {
    initial: { tail: '', held: '' },
    step: ({ tail, held }, fragment) => {
      if (held !== '' || fragment.includes('[')) return read({ form, tail, text: `${held}${fragment}`, isLast: false })
      return { state: { tail: lastOf(tail, fragment), held: '' }, output: fragment === '' ? [] : [fragment] }
    },
    end: ({ tail, held }) => (held === '' ? [] : read({ form, tail, text: held, isLast: true }).output),
  }
}

interface Reading {
  readonly form: ArgumentsForm
  readonly tail: string
  readonly text: string
  readonly isLast: boolean
}

function read({ form, tail, text, isLast }: Reading): MarkerStep {
  const output: (string | MarkerLine)[] = []
  let from = 0
  let held = text.length
  for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', at + 1)) {
    const start = lineStart(form, { tail, text }, at)
    if (start === undefined) continue
    const line = lineFrom(form, text, at)
    if (!mayBeMarker(line.text)) continue
    if (line.isOpen && !isLast) {
      held = at
      break
    }
    const said = line.text.trimEnd()
    if (readMarker(said) === undefined) continue
    if (at > from) output.push(text.slice(from, at))
    output.push({ raw: text.slice(at, line.end), text: said, ...start })
    from = line.end
  }
  if (held > from) output.push(text.slice(from, held))
  return { state: { tail: lastOf(tail, text.slice(0, held)), held: text.slice(held) }, output }
}

/** Enough for what stands before a marker on its line and for the line before. */
const tailChars = 1000

function lastOf(tail: string, text: string): string {
  return text.length >= tailChars ? text.slice(-tailChars) : `${tail}${text}`.slice(-tailChars)
}

const leads: { readonly [Form in ArgumentsForm]: RegExp } = {
  json: /(\\*)(n|r|")((?: |\\t)*|[+-])$/,
  plain: /(^|[\n\r])([ \t]*|[+-])$/,
}
const mayStandBefore = /^[nrt" \t\n\r+-]$/

/** What stands before a place on its line and above it; undefined where that is more than a lead. */
function lineStart(
  form: ArgumentsForm,
  { tail, text }: { readonly tail: string; readonly text: string },
  at: number,
): Pick<MarkerLine, 'lead' | 'lineBefore'> | undefined {
  const previous = at > 0 ? text[at - 1] : tail.at(-1)
  if (previous !== undefined && !mayStandBefore.test(previous)) return undefined
  const context = lastOf(tail, text.slice(Math.max(0, at - tailChars), at))
  const match = leads[form].exec(context)
  if (match === null) return undefined
  if (form === 'plain') return started(match[2] ?? '', match[1] === '' ? undefined : plainLine(context, match.index))
  const [, slashes = '', mark = '', lead = ''] = match
  const isOdd = slashes.length % 2 === 1
  if (isOdd !== (mark !== '"')) return undefined
  const end = match.index + slashes.length - 1
  return started(lead.replaceAll(String.raw`\t`, '\t'), mark === '"' ? undefined : jsonLine(context.slice(0, end)))
}

function started(lead: string, lineBefore: string | undefined): Pick<MarkerLine, 'lead' | 'lineBefore'> {
  return lineBefore === undefined ? { lead } : { lead, lineBefore }
}

function plainLine(context: string, end: number): string {
  return context.slice(context.lastIndexOf('\n', end - 1) + 1, end)
}

const lastLineForm = /(?:^|[^\\])(?:\\\\)*(?:\\n|")((?:[^"\\]|\\[^n])*)$/

function jsonLine(context: string): string | undefined {
  const raw = lastLineForm.exec(context)?.[1]
  if (raw === undefined) return undefined
  try {
    return String(JSON.parse(`"${raw}"`))
  } catch {
    return undefined
  }
}

interface Line {
  readonly text: string
  /** Where it ends in the raw text. */
  readonly end: number
  /** More of it may come. */
  readonly isOpen: boolean
}

/** The line that begins at a place, as far as a marker can go. */
function lineFrom(form: ArgumentsForm, text: string, from: number): Line {
  let said = ''
  let at = from
  while (said.length < longestMarker) {
    const character = text[at]
    if (character === undefined) return { text: said, end: at, isOpen: true }
    if (character === '\n' || character === '\r' || (form === 'json' && character === '"')) break
    if (form === 'plain' || character !== '\\') {
      said += character
      at += 1
      continue
    }
    const length = text[at + 1] === 'u' ? 6 : 2
    if (at + length > text.length) return { text: said, end: at, isOpen: true }
    const unescaped = unescape(text.slice(at, at + length))
    if (unescaped === undefined || unescaped === '\n' || unescaped === '\r') break
    said += unescaped
    at += length
  }
  return { text: said, end: at, isOpen: false }
}

function unescape(escape: string): string | undefined {
  try {
    return String(JSON.parse(`"${escape}"`))
  } catch {
    return undefined
  }
}
