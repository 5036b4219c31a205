import type { BudgetTier, Item, ReliefStep, Section } from '../../core/index.ts'
import { isCoreTool } from '../items/core-tools.ts'

/** What relief is asked for: steps, and what they know of the items. The same for both layouts. */
export interface ReliefView {
  readonly steps: readonly ReliefStep[]
  /** In order. */
  readonly items: readonly Item[]
  readonly scores: ArrayLike<number>
  /** What is left of the relevance of each, in [0, 1]. */
  relevance(index: number): number
  /** 1 where an item stands whole whatever happens. */
  readonly pinned: ArrayLike<number>
  /** 1 where an item is not shown in any case; absent where every item may be. */
  readonly out?: ArrayLike<number>
  /** Of the sections that may give way; what is in no such section is shown whole. Tools are not among them. */
  readonly tiers: ReadonlyMap<Section, BudgetTier>
  /** What only the last of the steps may touch. */
  readonly held: ReadonlySet<number>
  /** Results that the conversation has no use for any more. */
  superseded(): ReadonlySet<number>
  /** Names of the tools whose definitions go last. */
  readonly core: ReadonlySet<string>
  /** When a step is done: by which evidence is told from other evidence. */
  readonly acceptance: readonly string[]
  /** Failures stay for this many results. */
  readonly keepErrors: number
  failed(item: Item): boolean
  /** Whether the policy of overflow lets a section lose items. */
  mayLose(section: Section): boolean
}

/** Indexes of the items that may be touched and that a test holds for, in order. */
export function touchable(view: ReliefView, holds: (item: Item, index: number) => boolean): readonly number[] {
  const found: number[] = []
  for (const [index, item] of view.items.entries()) {
    if (view.held.has(index)) continue
    if (view.pinned[index] === 1 || view.out?.[index] === 1 || item.pin === true || item.frozen === true) continue
    if (holds(item, index)) found.push(index)
  }
  return found
}

/** Of the sections of a tier that may give way. */
export function ofTier(view: ReliefView, tier: BudgetTier): readonly number[] {
  return touchable(view, ({ section }) => view.tiers.get(section) === tier)
}

/** In order, those of the core last. */
export function toolDefinitions(view: ReliefView): readonly number[] {
  return coreLast(
    view,
    touchable(view, ({ kind, section }) => kind === 'tool-schema' && section === 'tools'),
  )
}

/** The same, those outside of the core first. */
export function coreLast({ core, items }: ReliefView, indexes: readonly number[]): readonly number[] {
  const isCore = (index: number): boolean => isCoreTool(core, items[index] ?? {})
  return [...indexes.filter((index) => !isCore(index)), ...indexes.filter(isCore)]
}

/** What is worth least first; equals oldest first. */
export function lowestFirst(view: ReliefView, indexes: readonly number[]): readonly number[] {
  return indexes.toSorted((a, b) => byScore(view, a, b) || byAge(view, a, b) || a - b)
}

/** What came first first; of what came together, what is worth least. */
export function oldestFirst(view: ReliefView, indexes: readonly number[]): readonly number[] {
  return indexes.toSorted((a, b) => byAge(view, a, b) || byScore(view, a, b) || a - b)
}

/** What costs most for what it is worth, `(1 - score) * tokens`, first; equals oldest first. */
export function dearestFirst(
  view: ReliefView,
  indexes: readonly number[],
  tokensOf: (index: number) => number,
): readonly number[] {
  const price = new Map(indexes.map((index) => [index, (1 - (view.scores[index] ?? 0)) * tokensOf(index)]))
  return indexes.toSorted((a, b) => (price.get(b) ?? 0) - (price.get(a) ?? 0) || byAge(view, a, b) || a - b)
}

/** The same by what is left of its relevance. */
export function stalestFirst(
  view: ReliefView,
  indexes: readonly number[],
  tokensOf: (index: number) => number,
): readonly number[] {
  const price = new Map(indexes.map((index) => [index, (1 - view.relevance(index)) * tokensOf(index)]))
  return indexes.toSorted((a, b) => (price.get(b) ?? 0) - (price.get(a) ?? 0) || byAge(view, a, b) || a - b)
}

/** What tells of the fewest criteria first; of those that tell of as many, the oldest. */
export function leastCoveringFirst(view: ReliefView, indexes: readonly number[]): readonly number[] {
  const criteria = view.acceptance.map(wordsOf).filter(({ size }) => size > 0)
  if (criteria.length === 0) return oldestFirst(view, indexes)
  const covered = new Map(indexes.map((index) => [index, coverage(view.items[index]?.text ?? '', criteria)]))
  return oldestFirst(view, indexes).toSorted((a, b) => (covered.get(a) ?? 0) - (covered.get(b) ?? 0))
}

function byScore({ scores }: ReliefView, a: number, b: number): number {
  return (scores[a] ?? 0) - (scores[b] ?? 0)
}

/** By the turn in which an item appeared, then by when it was fetched. What is unknown is old. */
function byAge({ items }: ReliefView, a: number, b: number): number {
  const turns = (items[a]?.birthTurn ?? -1) - (items[b]?.birthTurn ?? -1)
  if (turns !== 0) return turns
  const one = items[a]?.provenance?.retrievedAt ?? ''
  const other = items[b]?.provenance?.retrievedAt ?? ''
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** Criteria of which a text has at least half of the words. */
function coverage(text: string, criteria: readonly ReadonlySet<string>[]): number {
  const words = wordsOf(text)
  let count = 0
  for (const criterion of criteria) {
    let shared = 0
    for (const word of criterion) if (words.has(word)) shared += 1
    if (shared * 2 >= criterion.size) count += 1
  }
  return count
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu))
}
