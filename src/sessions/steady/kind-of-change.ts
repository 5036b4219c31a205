import { steadyForm } from '../../core/index.ts'

/**
 * What has changed between two requests. `clock`: times, dates, ids. `count`: numbers. `value`: paths, names with signs in them, tokens,
 * lines that consist of such, and the few words behind a label. `words`: anything else, which is the client's own change.
 */
export const changeKinds = ['clock', 'count', 'value', 'words'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** What lines have become, judged by what of them has stayed. */
export function kindOfChange(base: readonly string[], now: readonly string[]): ChangeKind {
  if (base.length !== now.length) return [...base, ...now].every(isOfValues) ? 'value' : 'words'
  const ranks = base.map((line, index) => changeKinds.indexOf(kindOfLine(line, now[index] ?? '')))
  return changeKinds[Math.max(0, ...ranks)] ?? 'words'
}

function kindOfLine(base: string, now: string): ChangeKind {
  const [before, after] = [steadyForm(base), steadyForm(now)]
  if (before === after) return 'clock'
  if (uncounted(before) === uncounted(after)) return 'count'
  if (isOfValues(base) && isOfValues(now)) return 'value'
  const label = labelOf(base)
  if (label !== undefined && label === labelOf(now)) return 'value'
  return plainWords(before).join(' ') === plainWords(after).join(' ') ? 'value' : 'words'
}

function uncounted(line: string): string {
  return line.replaceAll(/\d+/g, '#')
}

/** Signs that words of prose do not have within them. */
const valueSign = /[\d/\\_@=~\u{FFFC}]|\.\w/u

function isValue(token: string): boolean {
  return valueSign.test(token)
}

function plainWords(line: string): readonly string[] {
  return line.split(/\s+/).flatMap((token) => {
    const word = isValue(token) ? '' : token.replaceAll(/[^\p{L}\p{M}]/gu, '')
    return word === '' ? [] : [word]
  })
}

/** A line of a listing, which says values and at most a sign of two letters; an empty one. */
export function isOfValues(line: string): boolean {
  const words = plainWords(line)
  return line.trim() === '' || (hasValue(line) && words.length <= 1 && words.every(({ length }) => length <= 2))
}

/** Whether a line says something that may be another in the next request. */
export function mayChange(line: string): boolean {
  return hasValue(line) || labelOf(line) !== undefined
}

function hasValue(line: string): boolean {
  return line.split(/\s+/).some(isValue)
}

const mostLabelChars = 60
const mostLabelled = { words: 3, chars: 80 }

/** What the few words of a line are the value of: `Branch` of `Branch: main`. */
function labelOf(line: string): string | undefined {
  const end = line.indexOf(': ')
  const [label, value] = [line.slice(0, end).trim(), line.slice(end + 2).trim()]
  if (end < 0 || label === '' || label.length > mostLabelChars) return undefined
  if (value === '' || value.length > mostLabelled.chars) return undefined
  return value.split(/\s+/).length <= mostLabelled.words ? label : undefined
}
