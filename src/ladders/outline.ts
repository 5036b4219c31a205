import type { Item, Rendition } from '../core/index.ts'
import { foldRuns } from './fold-runs.ts'
import type { Run } from './fold-runs.ts'
import type { LadderOptions } from './ladder-options.ts'
import { foldMarker } from './marker.ts'
import { oneLine } from './one-line.ts'
import type { Draft } from './renditions.ts'
import { factReader } from './text-facts.ts'
import type { TextFacts } from './text-facts.ts'
import { charactersOf, lengthOf, splitLines } from './text-lines.ts'
import type { TextLines } from './text-lines.ts'
import { trimLines } from './trim-lines.ts'
import { named } from './worth-by-names.ts'

/** Whether head, tail and failures are wanted, and not the lines that are worth most by what the conversation has used. */
export function wantsOutline({ conversation }: LadderOptions): boolean {
  return conversation?.outline === true
}

/** A result by its beginning, its end and what it says of failures, at the shares that are asked for; then as one line. */
export function outlinedResult(item: Item, full: Rendition, context: LadderOptions): readonly Draft[] {
  const facts = (context.facts ?? factReader()).ofText(item.text)
  const { kind, lines } = facts.text
  const shares = kind === 'blob' ? [] : (context.conversation?.shares ?? [])
  const drafts = shares.flatMap((share) => outlineAt(share, { facts, full, context }))
  const report = facts.failure()
  const text = oneLine({ item: named(item, kind), context, lines, report, originalTokens: full.tokens })
  return [...drafts, { rung: 'line', text, fidelity: 0.05, handle: context.handle }]
}

interface Outlined {
  readonly facts: TextFacts
  readonly full: Rendition
  readonly context: LadderOptions
}

/** Of the lines that are shown, this share is the beginning; the rest is the end. */
const headShare = 0.6
/** Failures take at most this share of what is shown. */
const failureShare = 0.5
/** Tokens of a marker between two parts. */
const markerTokens = 20

function outlineAt(share: number, { facts, full, context }: Outlined): readonly Draft[] {
  const { text } = facts
  const size = text.lines.length
  const perCharacter = full.tokens / Math.max(1, charactersOf(text))
  const costOf = (line: number): number => (lengthOf(text, line) + 1) * perCharacter
  const keep = new Uint8Array(size)
  const room = share * full.tokens - 2 * markerTokens
  const forFailures = withinRoom(failureLines(facts), room * failureShare, (line) => {
    const stands = line > 0 && keep[line - 1] === 1
    keep[line] = 1
    return costOf(line) + (stands ? 0 : markerTokens)
  })
  const left = room - forFailures
  const take = (line: number): number => {
    const isShown = keep[line] === 1
    keep[line] = 1
    return isShown ? 0 : costOf(line)
  }
  const head = withinRoom(upwards(text), left * headShare, take)
  withinRoom(downwards(text), left - head, take)
  if (!keep.includes(0)) return []
  const trimmed = trimLines({ text, keep, handle: context.handle })
  const [first] = trimmed.folds
  if (first === undefined || !trimmed.says || trimmed.text.length < 2 * foldMarker(first).length) return []
  const fidelity = context.count(trimmed.text) / Math.max(1, full.tokens)
  return [{ rung: 'trimmed', text: trimmed.text, fidelity, handle: context.handle }]
}

function* upwards({ lines, excerpt }: TextLines): Generator<number> {
  for (let line = 0; line < lines.length; line++) if (excerpt?.gaps[line] !== 1) yield line
}

function* downwards({ lines, excerpt }: TextLines): Generator<number> {
  for (let line = lines.length - 1; line >= 0; line--) if (excerpt?.gaps[line] !== 1) yield line
}

/** Takes lines in this order until the next one has no room; gives what they take. */
function withinRoom(lines: Iterable<number>, room: number, take: (line: number) => number): number {
  let used = 0
  for (const line of lines) {
    if (used >= room) break
    used += take(line)
  }
  return used
}

/** The failure that is told in full first, the line that counts them, then the others in their order. */
function failureLines({ failure, states }: TextFacts): readonly number[] {
  if (!states.includes(1)) return []
  const { blocks, summary, exitLine, lines } = failure()
  const first = blocks.find(({ detailed }) => detailed) ?? blocks[0]
  const ends = [summary, exitLine].filter((line) => line !== undefined)
  return [...new Set([...ends, ...(first?.lines ?? []), ...lines])]
}

function charactersIn(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

/** A call of which each long string shows its first line. It stays valid JSON with the same keys. */
export function outlinedCall(item: Item, full: Rendition, context: LadderOptions): readonly Draft[] {
  const { handle, count, conversation } = context
  const facts = context.facts ?? factReader()
  const { lines } = splitLines(item.text)
  const charactersInRun = ({ first, last }: Run): number => charactersIn(lines.slice(first, last + 1))
  const runs = facts.longRuns(item.text, conversation?.callTokens ?? 0, count)
  const folds = runs.filter((run) => charactersInRun(run) > longestCallMarker)
  if (folds.length === 0) return []
  const text = foldRuns(item.text, folds, handle)
  return [{ rung: 'trimmed', text, fidelity: count(text) / Math.max(1, full.tokens), handle }]
}

/** In characters; what is shorter than its marker stays. */
const longestCallMarker = 80
