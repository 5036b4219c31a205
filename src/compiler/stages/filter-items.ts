import type { Policy, ReasonCode } from '../../core/index.ts'
import type { Candidate } from '../candidate.ts'

export interface FilterOptions {
  readonly policy: Policy
  /** 1 where the item stands whole whatever happens. */
  readonly pinned: Uint8Array
  /** Members of every group, by index. */
  readonly groups: readonly (readonly number[])[]
}

export interface Filtered {
  /** Indexes of the candidates that may be shown, in order. */
  readonly kept: readonly number[]
  /** Why the others may not, by index. */
  readonly dropped: ReadonlyMap<number, ReasonCode>
}

/**
 * Leaves out what no budget should be spent on: what is below a floor, what has expired, what stands twice among
 * evidence and memory, and what shares a group with any of these (P-021, V-021). Unknown scores pass; pinned items
 * always do.
 */
export function filterItems(candidates: readonly Candidate[], options: FilterOptions): Filtered {
  const { policy, pinned, groups } = options
  const dropped = new Map<number, ReasonCode>()
  const seen = new Set<string>()
  for (const [index, candidate] of candidates.entries()) {
    const comparable = isComparable(candidate)
    const reason = reasonAgainst(candidate, policy) ?? (seen.has(candidate.contentHash) ? 'duplicate' : undefined)
    if (pinned[index] !== 1 && reason !== undefined && (comparable || reason !== 'duplicate'))
      dropped.set(index, reason)
    else if (comparable) seen.add(candidate.contentHash)
  }
  if (dropped.size > 0) {
    for (const members of groups.filter((group) => group.some((index) => dropped.has(index))))
      for (const index of members) if (!dropped.has(index)) dropped.set(index, 'group')
  }
  const kept: number[] = []
  for (let index = 0; index < candidates.length; index += 1) if (!dropped.has(index)) kept.push(index)
  return { kept, dropped }
}

const gated: Readonly<Record<string, true>> = { evidence: true, memory: true, situation: true, tools: true }

function reasonAgainst({ item }: Candidate, { floors }: Policy): ReasonCode | undefined {
  if (!Object.hasOwn(gated, item.section)) return undefined
  const relevance = item.scores?.relevance ?? item.provenance?.relevanceScore ?? 1
  if (relevance < floors.relevance) return 'below-floor'
  if (item.section === 'tools') return undefined
  const freshness = item.scores?.freshness ?? 1
  if (freshness < floors.freshness) return item.section === 'evidence' ? 'below-floor' : 'expired'
  const authority = item.scores?.authority ?? item.provenance?.authorityScore ?? 1
  return item.section === 'evidence' && authority < floors.authority ? 'below-floor' : undefined
}

/** Conversation and groups are never thinned out as repetition: what was said twice was meant twice. */
function isComparable({ item }: Candidate): boolean {
  return item.text !== '' && item.group === undefined && (item.section === 'evidence' || item.section === 'memory')
}
