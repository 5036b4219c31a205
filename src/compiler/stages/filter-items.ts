import type { Policy, ReasonCode } from '../../core/index.ts'
import type { Candidate } from '../candidate.ts'

export interface FilterOptions {
  readonly policy: Policy
  /** 1 where the item stands whole whatever happens. */
  readonly pinned: Uint8Array
  /** Members of every group, by index. */
  readonly groups: readonly (readonly number[])[]
  /** Whether any content may stand twice. */
  readonly repeats: boolean
}

/**
 * Finds what no budget should be spent on: what is below a floor, what has expired, what stands twice among evidence and
 * memory, and what shares a group with any of these. Unknown scores pass; pinned items always do.
 */
export function filterItems(
  candidates: readonly Candidate[],
  { policy, pinned, groups, repeats }: FilterOptions,
): ReadonlyMap<number, ReasonCode> {
  const dropped = new Map<number, ReasonCode>()
  const { relevance, freshness, authority } = policy.floors
  const gates = relevance > 0 || freshness > 0 || authority > 0
  if (!gates && !repeats) return dropped
  const seen = new Set<string>()
  for (const [index, candidate] of candidates.entries()) {
    if (pinned[index] === 1) {
      if (isComparable(candidate)) seen.add(candidate.contentHash)
      continue
    }
    const reason = reasonAgainst(candidate, policy) ?? (isSeen(candidate, seen) ? 'duplicate' : undefined)
    if (reason !== undefined) dropped.set(index, reason)
  }
  if (dropped.size === 0) return dropped
  for (const members of groups.filter((group) => group.some((index) => dropped.has(index))))
    for (const index of members) if (!dropped.has(index)) dropped.set(index, 'group')
  return dropped
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

/** Notes the content, and tells whether it was there before. */
function isSeen(candidate: Candidate, seen: Set<string>): boolean {
  if (!isComparable(candidate)) return false
  if (seen.has(candidate.contentHash)) return true
  seen.add(candidate.contentHash)
  return false
}

/** Conversation and groups are never thinned out as repetition: what was said twice was meant twice. */
function isComparable({ item }: Candidate): boolean {
  return item.text !== '' && item.group === undefined && (item.section === 'evidence' || item.section === 'memory')
}
