import { shippedCatalogue, tokenizerOf } from '../../tokens/index.ts'

/** Tokens of one answer. */
export const mostPageTokens = 25_000

/** Whatever model reads the answer, its tokenizer counts about so. */
const { count } = tokenizerOf(shippedCatalogue.info('gpt-5'))

/** Lines of a text, from 1; the last one included. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

/** Reads `10-40`, `10-` or `10`; undefined for anything else. */
export function readLines(text: string | null | undefined): LineRange | undefined {
  const [, from, dash, to] = /^\s*(\d{1,9})\s*(?:(-)\s*(\d{0,9}))?\s*$/.exec(text ?? '') ?? []
  if (from === undefined) return undefined
  const first = Math.max(1, Number(from))
  if (dash === undefined) return { from: first, to: first }
  return { from: first, to: to === '' || to === undefined ? Infinity : Number(to) }
}

/** A text, or as many of its lines as one answer may have, with how to go on: `more` says that of the lines from there. */
export function page(text: string, range: LineRange | undefined, more: (lines: string) => string): string {
  if (range === undefined && text.length <= mostPageTokens) return text
  const lines = text.split('\n')
  const { from, to } = range ?? { from: 1, to: Infinity }
  const last = Math.min(to, lines.length)
  const shown: string[] = []
  let tokens = 0
  for (let at = from; at <= last; at += 1) {
    const line = lines[at - 1] ?? ''
    const next = line.length > mostPageTokens * 8 ? Infinity : count(line) + 1
    if (tokens + next > mostPageTokens) break
    tokens += next
    shown.push(line)
  }
  const end = from + shown.length - 1
  if (shown.length > 0 && from === 1 && end === lines.length) return text
  if (shown.length === 0 && from <= last) return cutLine(lines[from - 1] ?? '', { from, of: lines.length })
  const rest = end < last ? ` ${more(`${end + 1}-`)}` : ''
  return `${shown.join('\n')}\n[lines ${from}-${end} of ${lines.length}.${rest}]`
}

/** The beginning of a line that is longer than an answer may be. */
function cutLine(line: string, { from, of }: { readonly from: number; readonly of: number }): string {
  let chars = Math.min(line.length, mostPageTokens * 4)
  while (count(line.slice(0, chars)) > mostPageTokens) chars = Math.floor(chars * 0.8)
  return `${line.slice(0, chars).toWellFormed()}\n[line ${from} of ${of}, the first ${chars} of its ${line.length} characters.]`
}
