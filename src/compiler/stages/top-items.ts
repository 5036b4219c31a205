import type { Budget, ReasonCode } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'
import type { Filtered } from './filter.ts'
import type { Ranked } from './rank.ts'

export interface TopInput extends Pick<Ranked, 'members' | 'scores' | 'order'> {
  readonly budget: Pick<Budget, 'sections'>
  readonly filtered: Filtered
  readonly candidates: readonly Candidate[]
  /** 1 for items that are chosen anew; absent where all are. */
  readonly free?: Uint8Array | undefined
}

/**
 * Of a section that may show so many items, those that rank highest, among so many candidates as are most relevant; the others are
 * dropped, and with them what shares their group. Items that stand whatever happens count first.
 */
export function keepTop(input: TopInput): Filtered {
  const { budget, filtered, members } = input
  const beyond = new Map<number, ReasonCode>()
  for (const { section, maxItems = Infinity, maxCandidates = Infinity } of budget.sections) {
    const own = members.get(section) ?? []
    if (own.length <= maxItems && own.length <= maxCandidates) continue
    const relevance = (index: number): number => input.candidates[index]?.item.scores?.relevance ?? 1
    for (const index of lowestBeyond(input, own, { most: maxCandidates, worth: relevance }))
      beyond.set(index, 'section-budget')
    const left = own.filter((index) => !beyond.has(index))
    for (const index of lowestBeyond(input, left, { most: maxItems, worth: (at) => input.scores[at] ?? 0 }))
      beyond.set(index, 'section-budget')
  }
  if (beyond.size === 0) return filtered
  return { ...filtered, dropped: new Map([...filtered.dropped, ...groupsOf(input, beyond), ...beyond]) }
}

/** So many may stay, those that are worth most. */
interface Top {
  readonly most: number
  worth(index: number): number
}

function lowestBeyond(
  { filtered: { dropped, pinned }, order, free }: TopInput,
  own: readonly number[],
  { most, worth }: Top,
): readonly number[] {
  const left = own.filter((index) => !dropped.has(index))
  const mayGo = left.filter((index) => pinned[index] !== 1 && free?.[index] !== 0)
  const ranked = mayGo.toSorted((a, b) => worth(b) - worth(a) || (order?.[a] ?? a) - (order?.[b] ?? b))
  return ranked.slice(Math.max(0, most - (left.length - mayGo.length)))
}

function groupsOf(
  { candidates, filtered: { dropped } }: TopInput,
  beyond: ReadonlyMap<number, unknown>,
): readonly (readonly [number, ReasonCode])[] {
  const groups = new Set(Array.from(beyond.keys(), (index) => candidates[index]?.item.group))
  groups.delete(undefined)
  if (groups.size === 0) return []
  const members = [...candidates.keys()].filter((index) => groups.has(candidates[index]?.item.group))
  return members.filter((index) => !dropped.has(index)).map((index) => [index, 'group'] as const)
}
