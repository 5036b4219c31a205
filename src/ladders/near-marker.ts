import { longestMarker } from './marker-grammar.ts'

/** A line that a model wrote in the manner of our markers, though no maker of ours writes it so. */
export interface NearMarker {
  /** Without what opens and closes it: brackets, ellipses, the signs of a comment. */
  readonly says: string
  /** Lines that it speaks of, from 1; absent where it names none. */
  readonly first?: number
  readonly last?: number
  /** The same of a reference to an earlier step. */
  readonly lines?: number
  readonly step?: number
}

/** What may stand before and behind it on its line: blanks, the sign of a patch, signs of comments, an ellipsis. */
const around = {
  before:
    /^(?:[-+](?!-))?[ \t]{0,200}(?:\/\/|\/\*{1,2}|#{1,4}|--|;{1,2}|%|<!--|\*|"""|''')?[ \t]{0,8}(?:\.{3}|…)?[ \t]{0,8}/,
  behind: /[ \t]{0,8}(?:\.{3}|…)?[ \t]{0,8}(?:\*\/|-->|"""|''')?[ \t]{0,8}[,;]?[ \t\r]{0,8}$/,
} as const
const closing: Readonly<Record<string, string>> = { '[': ']', '<': '>', '(': ')', '{': '}' }

const ellipsis = String.raw`(?:(?:\.{3}|…)\s?)?`
const lastOf = String.raw`\s?(?:-|–|—|\.\.|to)\s?(?<last>\d{1,9})`
const range = String.raw`(?<first>\d{1,9})(?:${lastOf})?`
/** Words for what is left out that are ours; the others are those of everybody, and say it of lines with numbers only. */
const own = '(?:folded|not shown(?: here)?|written, not shown|written but not shown)'
const common = '(?:omitted|hidden|elided|collapsed|truncated|left out|unchanged|as before|same as before)'
const handled = String.raw`(?:\s?[:;,]\s?.{0,160})?`

/** What stands between brackets. */
const bracketed: readonly RegExp[] = [
  `lines? ${range} (?:(?:were|are|is|of \\S{1,80}) )?(?:${own}|${common})${handled}`,
  String.raw`(?<first>\d{1,9})${lastOf} (?:lines? )?${own}${handled}`,
  `\\+?\\d{1,9} (?:more |other )?lines? (?:were |are )?${own}${handled}`,
  String.raw`\+?(?<lines>\d{1,9}) (?:more )?lines? (?:same )?as in (?:the )?(?:call of |result of )?(?:step|turn|call) (?<step>\d{1,9}).{0,160}`,
  String.raw`folded(?:, (?:error|failures reported))?\s?:.{0,160}`,
  'folded',
  String.raw`.{0,120}\brehydrate\s?\(.{0,120}`,
  String.raw`(?:extract|usual wrapper left out)\s?: ?(?:\d{6,64}|rehydrate.{0,120})`,
  String.raw`usual wrapper left out,? (?:as in|see) step \d{1,9}.{0,40}`,
  String.raw`steps \d{1,9}-\d{1,9} left out.{0,60}`,
  String.raw`turn: \S{1,80}, \d{1,9} tokens`,
  String.raw`tool: \S{1,80} - (?:ok|error), .{0,60}tokens.{0,40}`,
].map((form) => new RegExp(`^${ellipsis}${form}\\s?${ellipsis}$`, 'iu'))

/** Without brackets only what nothing else says. */
const bare: readonly RegExp[] = [
  `lines? ${range} (?:folded|written, not shown)${handled}`,
  String.raw`\+?(?<lines>\d{1,9}) lines? as in (?:the )?(?:call of )?step (?<step>\d{1,9}).{0,160}`,
].map((form) => new RegExp(`^${form}$`, 'iu'))

/**
 * Reads a whole line as something that stands for text that is not shown; undefined where it is a line like any other. Takes
 * time linear in the line, and none for a long one.
 */
export function readNearMarker(line: string): NearMarker | undefined {
  if (line.length > longestMarker || !mentions.test(line)) return undefined
  const text = line.replace(around.before, '').replace(around.behind, '').trim()
  const close = closing[text.charAt(0)]
  if (close !== undefined && text.endsWith(close)) return firstOf(bracketed, text.slice(1, -1).trim())
  const call = /^\[([^\]]{1,120})\][ ;]{0,2}(?:exit [\d-]{1,11}; )?rehydrate\(.{0,100}\)$/u.exec(text)
  if (call) return { says: text.slice(1).replace(']', '') }
  return firstOf(bare, text)
}

const mentions = new RegExp(`${own}|${common}|as in|rehydrate|extract|usual wrapper|tokens`, 'i')

function firstOf(forms: readonly RegExp[], says: string): NearMarker | undefined {
  for (const form of forms) {
    const match = form.exec(says)
    if (match) return { says, ...numbersOf(match.groups ?? {}) }
  }
  return undefined
}

function numbersOf(groups: Readonly<Record<string, string | undefined>>): Omit<NearMarker, 'says'> {
  const { first, last = first, lines, step } = groups
  return {
    ...(first !== undefined && { first: Number(first), last: Number(last) }),
    ...(lines !== undefined && { lines: Number(lines), step: Number(step) }),
  }
}
