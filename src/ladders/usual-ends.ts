import type { UsualEnds } from '../core/index.ts'
import type { LadderOptions } from './ladder-options.ts'
import { endsMarker, endsShownIn } from './marker.ts'
import type { Draft } from './renditions.ts'

/** As much of a result as its ends are looked for in. */
const mostLines = 6
const mostCharacters = 400

/** Results in which a line must stand to be usual: so many, and this share of all that are looked at. */
const leastResults = 3
const leastShare = 0.5

/** How a result begins and ends. */
export interface ResultEnds {
  readonly first: readonly string[]
  /** From the last line on. */
  readonly last: readonly string[]
}

export function resultEnds(text: string): ResultEnds {
  return { first: firstLines(text), last: lastLinesBackwards(text) }
}

/**
 * The lines that earlier results of a tool share at their beginnings and at their ends: envelopes, banners, prompts. Learnt from them
 * alone; empty where they share nothing. What only files share is their own: one of the `others`, which are none, has the lines, too.
 */
export function usualEnds(
  results: readonly ResultEnds[],
  others: readonly ResultEnds[],
): Pick<UsualEnds, 'head' | 'tail'> {
  const least = Math.max(leastResults, leastShare * results.length)
  if (results.length < least) return { head: [], tail: [] }
  const head = envelopeOf(sharedBeginning(results.map(firstOf), least))
  const tail = envelopeOf(sharedBeginning(results.map(lastOf), least))
  return { head: common(head, others.map(firstOf)), tail: common(tail, others.map(lastOf)).toReversed() }
}

const firstOf = ({ first }: ResultEnds): readonly string[] => first
const lastOf = ({ last }: ResultEnds): readonly string[] => last

/** Which lines may be an envelope: tags, brackets, members of JSON, and banners; no items, rows or members of something that is listed. */
function isEnvelope(line: string): boolean {
  const text = line.slice(0, mostCharacters)
  if (/^[^\p{L}\p{N}]*$/u.test(text) && !/^\s*[-*+]\s*$/.test(text)) return true
  if (/^\s*(?:<[^<>]{1,200}>|"[\w$-]{1,60}"\s?:)/.test(text)) return true
  return /^[^\s\-*+|]/.test(text) && !isRow.test(text)
}

/** Cells between tabs, wide gaps, bars or commas: the header of a table is what its rows are read by. */
const isRow = /\S(?: {2,}|\t| ?[|,;] ?)\S[^\n]{0,300}?(?: {2,}|\t| ?[|,;] ?)\S/

/** The lines up to the first that is none, without one that opens what comes after it. */
function envelopeOf(lines: readonly string[]): readonly string[] {
  const parting = lines.findIndex((line) => !isEnvelope(line))
  if (parting === -1) return lines
  return lines.slice(0, parting > 0 && /:\s*$/.test(lines[parting - 1] ?? '') ? parting - 1 : parting)
}

/** As many of the lines as any of the lists begins with. */
function common(lines: readonly string[], lists: readonly (readonly string[])[]): readonly string[] {
  const lengths = lists.map((list) => {
    const parting = lines.findIndex((line, at) => list[at] !== line)
    return parting === -1 ? lines.length : parting
  })
  return lines.slice(0, Math.max(0, ...lengths))
}

function firstLines(text: string): readonly string[] {
  const lines = text.slice(0, mostCharacters).split('\n')
  return (text.length > mostCharacters ? lines.slice(0, -1) : lines).slice(0, mostLines)
}

function lastLinesBackwards(text: string): readonly string[] {
  const lines = text.slice(-mostCharacters).split('\n')
  return (text.length > mostCharacters ? lines.slice(1) : lines).slice(-mostLines).toReversed()
}

/** The longest list of lines with which at least so many of the lists begin; at each line that which most go on with. */
function sharedBeginning(lists: readonly (readonly string[])[], least: number): readonly string[] {
  const shared: string[] = []
  let left = lists
  for (;;) {
    const at = shared.length
    const times = new Map<string, number>()
    for (const { [at]: line } of left) if (line !== undefined) times.set(line, (times.get(line) ?? 0) + 1)
    const [most] = [...times].toSorted(([, a], [, b]) => b - a)
    if (most === undefined || most[1] < least) return shared
    shared.push(most[0])
    left = left.filter((list) => list[at] === most[0])
  }
}

/**
 * A form of a result that loses nothing, without the usual ends: both or, where one of them does not stand there, neither, since half
 * an envelope is harder to read than all of it. Undefined also where nothing would be left.
 */
export function withoutUsualEnds(draft: Draft, options: LadderOptions): Draft | undefined {
  const { conversation, handle } = options
  const { head = [], tail = [], isSaid = false } = conversation?.usualEnds ?? {}
  if (head.length + tail.length === 0) return undefined
  const lines = draft.text.split('\n')
  const end = lines.length - tail.length
  const stand =
    end >= head.length &&
    head.every((line, at) => lines[at] === line) &&
    tail.every((line, at) => lines[end + at] === line)
  const left = lines.slice(head.length, Math.max(end, head.length)).join('\n')
  const opens = /:\s*$/.test(head.at(-1) ?? '') && /^\s*[-*+] |^\s+[\w"'-]{1,60}\s?:/.test(left)
  if (!stand || opens || left.trim() === '' || left.length === draft.text.length || !isClosed([...head, ...tail]))
    return undefined
  const text = isSaid ? left : `${saidOnce(options)}\n${left}`
  const moved = head.length - (isSaid ? 0 : 1)
  const references = draft.references?.map((reference) => ({ ...reference, at: (reference.at ?? 0) - moved }))
  return { ...draft, rung: 'lossless', text, handle, ...(references && { references }) }
}

/** Before anything follows handles, a reader is told where the same lines stand. */
function saidOnce({ conversation, handle }: LadderOptions): string {
  const step = conversation?.usualEnds?.step
  return conversation?.brief === true && step !== undefined ? endsShownIn(step) : endsMarker(handle)
}

/** Whether a result begins and ends with these lines. */
export function hasEnds({ first, last }: ResultEnds, { head, tail }: Pick<UsualEnds, 'head' | 'tail'>): boolean {
  const stands = (lines: readonly string[], usual: readonly string[]): boolean =>
    usual.every((line, at) => lines[at] === line)
  return stands(first, head) && stands(last, tail.toReversed())
}

const openings = /[{[]|^\s*<\w[\w-]{0,40}>\s*$/g
const closings = /[}\]]|^\s*<\/\w[\w-]{0,40}>\s*$/g

/** Whether lines open as many brackets and elements as they close, so that what stands between them is whole without them. */
function isClosed(lines: readonly string[]): boolean {
  const times = (form: RegExp): number => lines.reduce((sum, line) => sum + (line.match(form)?.length ?? 0), 0)
  return times(openings) === times(closings)
}
