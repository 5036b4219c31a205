import { textMemo } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'

/** Tokens of the forms of a list that say again what stands before them. */
export type RepeatMeter = (forms: readonly (Form | undefined)[]) => number

/** The pieces that a text is compared by. */
interface Pieces {
  readonly digests: Float64Array
  readonly lengths: Uint32Array
}

/** What the first so many forms say. */
interface Said {
  readonly forms: (Form | undefined)[]
  readonly digests: Set<number>
  tokens: number
}

/**
 * Counts lines, and sentences of long lines, that stand in the list before, word for word but for white space around them. Shorter ones say
 * little and stand everywhere. Forms that are those of the last list are not compared again.
 */
export function repeatMeter(): RepeatMeter {
  const pieces = textMemo(piecesOf, rememberedCharacters)
  let said: Said = nothingSaid()
  return (forms) => {
    if (!said.forms.every((form, index) => form === forms[index])) said = nothingSaid()
    for (let index = said.forms.length; index < forms.length; index += 1) {
      const form = forms[index]
      if (form !== undefined) hear(said, form, pieces.get(form.entry.text))
      said.forms.push(form)
    }
    return said.tokens
  }
}

const rememberedCharacters = 3_000_000

function nothingSaid(): Said {
  return { forms: [], digests: new Set(), tokens: 0 }
}

function hear(said: Said, { entry, tokens }: Form, { digests, lengths }: Pieces): void {
  let again = 0
  for (let at = 0; at < digests.length; at += 1) {
    const digest = digests[at] ?? 0
    if (said.digests.has(digest)) again += lengths[at] ?? 0
    else said.digests.add(digest)
  }
  if (again > 0) said.tokens += (tokens * again) / entry.text.length
}

const shortestPiece = 24
const longLine = 160

/** Digests and lengths of the lines of a text, long ones by their sentences. */
function piecesOf(text: string): Pieces {
  const digests: number[] = []
  const lengths: number[] = []
  const add = (start: number, end: number): void => {
    let from = start
    let to = end
    while (from < to && text.charCodeAt(from) <= space) from += 1
    while (to > from && text.charCodeAt(to - 1) <= space) to -= 1
    if (to - from < shortestPiece) return
    digests.push(digestOf(text, from, to))
    lengths.push(to - from)
  }
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    if (end - start <= longLine) add(start, end)
    else addSentences(text.slice(start, end), start, add)
    start = end + 1
  }
  return { digests: Float64Array.from(digests), lengths: Uint32Array.from(lengths) }
}

const space = 32

function addSentences(line: string, offset: number, add: (start: number, end: number) => void): void {
  let from = 0
  for (let stop = line.indexOf('. '); stop >= 0; stop = line.indexOf('. ', from)) {
    add(offset + from, offset + stop + 1)
    from = stop + 1
  }
  add(offset + from, offset + line.length)
}

/** Two sums of 26 bits each, as one number. */
function digestOf(text: string, start: number, end: number): number {
  let one = 0x811c9dc5
  let other = 0x01000193
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other + code, 0x85ebca6b) ^ (other >>> 13)
  }
  return (one >>> 6) * 0x4000000 + (other >>> 6)
}
