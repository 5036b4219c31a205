import type { EpochPolicy, Item, Rendition } from '../../core/index.ts'
import type { Run } from '../../ladders/index.ts'
import type { FactReader, TextFacts } from './text-facts.ts'
import {
  chooseLines,
  contentKind,
  detectFailure,
  foldableRuns,
  foldRuns,
  oneLine,
  trimLines,
} from '../../ladders/index.ts'

export interface ShortenOptions {
  readonly item: Item
  readonly fullTokens: number
  readonly handle: string
  readonly step: number
  /** Steps since the item appeared. */
  readonly age: number
  readonly policy: EpochPolicy
  /** Names that the context shows elsewhere; a line that only repeats them is worth nothing more. */
  readonly visible: ReadonlySet<string>
  readonly facts: FactReader
  count(text: string): number
}

/** A rendition must save at least this share to be worth a change. */
const leastSaving = 0.1
const foldTokens = 14

/** The item with its less useful lines folded away, or as one line; undefined where that would save too little. */
export function shorten(options: ShortenOptions): Rendition | undefined {
  const candidates =
    options.item.kind === 'tool-call' ? [shortCall(options)] : [trimmedResult(options), oneLineResult(options)]
  const limit = options.fullTokens * (1 - leastSaving)
  return candidates
    .filter((rendition) => rendition !== undefined && rendition.tokens <= limit)
    .toSorted(cheapestLast)
    .at(-1)
}

function cheapestLast(a: Rendition | undefined, b: Rendition | undefined): number {
  return (b?.tokens ?? 0) - (a?.tokens ?? 0)
}

function trimmedResult({
  item,
  fullTokens,
  handle,
  policy,
  visible,
  facts,
  count,
  age,
}: ShortenOptions): Rendition | undefined {
  const { text, names, states } = facts.ofText(item.text)
  const values = lineValues({ names, states, visible, likelihood: laterUse(age) })
  const keep = chooseLines({
    values,
    tokens: lineTokens(text.lines, fullTokens),
    markerTokens: foldTokens,
    price: policy.lineWorth,
  })
  if (keep.every((kept) => kept === 0)) return undefined
  const trimmed = trimLines({ text, keep, handle })
  if (trimmed.folds.length === 0) return undefined
  const tokens = count(trimmed.text)
  return { rung: 'trimmed', text: trimmed.text, tokens, fidelity: tokens / Math.max(1, fullTokens), handle }
}

/** One line is for profiles that allow it, and for results of which no line is worth keeping. */
function oneLineResult(options: ShortenOptions): Rendition | undefined {
  const { item, policy, step, handle, count, fullTokens } = options
  const facts = options.facts.ofText(item.text)
  if (policy.lowestRung !== 'line' && somethingWorthKeeping(options, facts)) return undefined
  const { lines } = facts.text
  const report = detectFailure(lines, contentKind(item.text, item.toolName))
  const text = oneLine({ item, context: { count, handle, step }, lines, report, originalTokens: fullTokens })
  return { rung: 'line', text, tokens: count(text), fidelity: 0.05, handle }
}

function somethingWorthKeeping(
  { policy, visible, fullTokens, age }: ShortenOptions,
  { text, names, states }: TextFacts,
): boolean {
  const values = lineValues({ names, states, visible, likelihood: laterUse(age) })
  const tokens = lineTokens(text.lines, fullTokens)
  return values.some((value, index) => value >= policy.lineWorth * ((tokens[index] ?? 0) + foldTokens))
}

interface ValueOptions {
  readonly names: TextFacts['names']
  readonly states: Uint8Array
  readonly visible: ReadonlySet<string>
  readonly likelihood: number
}

/** Expected later uses of each line: the worth of names that neither the context nor an earlier line shows. */
function lineValues({ names, states, visible, likelihood }: ValueOptions): Float32Array {
  const seen = new Set<string>()
  const values = new Float32Array(names.length)
  names.forEach((line, index) => {
    let value = states[index] === 1 ? 1 : 0
    for (const { name, worth } of line) {
      if (visible.has(name) || seen.has(name)) continue
      seen.add(name)
      value += worth * likelihood
    }
    values[index] = value
  })
  return values
}

const freshAge = 3
/** Steps after which a name that has not been used is 1/e as likely to be; fitted with the worth of names. */
const meanLife = 10

/** How likely a later use is that many steps after a name appeared, relative to `freshAge` steps after. */
function laterUse(age: number): number {
  return Math.exp(-Math.max(0, age - freshAge) / meanLife)
}

/** Tokens of each line, by its share of the text; exact enough to choose by. */
function lineTokens(lines: readonly string[], total: number): Float32Array {
  const characters = lines.reduce((sum, line) => sum + line.length + 1, 0)
  const perCharacter = total / Math.max(1, characters)
  return Float32Array.from(lines, (line) => (line.length + 1) * perCharacter)
}

const headLines = 4
const tailLines = 2

/** The call with its long strings folded: head, tail, definitions and names that nothing else shows stay. */
function shortCall(options: ShortenOptions): Rendition | undefined {
  const { item, handle, fullTokens, count, policy } = options
  const runs = foldableRuns(
    item.text,
    (literal) => literal.length > policy.callTokens * 2 && count(literal) > policy.callTokens,
  )
  const inside = runs.map(({ first, last }) => ({ first: first + headLines, last: last - tailLines }))
  const folds = inside.length === 0 ? [] : foldsWithin(options, inside)
  if (folds.length === 0) return undefined
  const text = foldRuns(item.text, folds, handle)
  const tokens = count(text)
  return { rung: 'trimmed', text, tokens, fidelity: tokens / Math.max(1, fullTokens), handle }
}

/** The runs of lines, among those that may go, that are not worth their tokens. */
function foldsWithin(
  { item, fullTokens, visible, facts, policy, age }: ShortenOptions,
  open: readonly Run[],
): readonly Run[] {
  const { text, names, states } = facts.ofText(item.text)
  const values = lineValues({ names, states: new Uint8Array(states.length), visible, likelihood: laterUse(age) })
  const fixed = new Uint8Array(text.lines.length).fill(1)
  for (const { first, last } of open) fixed.fill(0, first, Math.max(first, last + 1))
  fixed.forEach((isFixed, line) => {
    if (isFixed === 1) values[line] = 1
  })
  const keep = chooseLines({
    values,
    tokens: lineTokens(text.lines, fullTokens),
    markerTokens: foldTokens,
    price: policy.lineWorth,
  })
  return runsOf(keep)
}

/** Runs of lines that a mask leaves out. */
function runsOf(keep: Uint8Array): readonly Run[] {
  const runs: Run[] = []
  for (let line = 0; line < keep.length; line++) {
    if (keep[line] === 1) continue
    const first = line
    while (line + 1 < keep.length && keep[line + 1] !== 1) line++
    runs.push({ first, last: line })
  }
  return runs
}
