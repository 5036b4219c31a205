import type { Policy, ReasonCode } from '../../core/index.ts'
import type { Candidate } from '../candidate.ts'

export interface Filtered {
  /** Indexes of the candidates that may be shown, in order. */
  readonly kept: readonly number[]
  /** Why the others may not, by index. */
  readonly dropped: ReadonlyMap<number, ReasonCode>
}

/**
 * Leaves out what no budget should be spent on: what is below a floor, what has expired, and what stands twice among
 * evidence and memory (P-021, V-021). Unknown scores pass; pinned items always do.
 */
export function filterItems(candidates: readonly Candidate[], policy: Policy): Filtered {
  const kept: number[] = []
  const dropped = new Map<number, ReasonCode>()
  const seen = new Map<string, number>()
  for (const [index, candidate] of candidates.entries()) {
    const reason = reasonAgainst(candidate, policy)
    if (reason !== undefined) {
      dropped.set(index, reason)
      continue
    }
    const twin = isComparable(candidate) ? seen.get(candidate.contentHash) : undefined
    if (twin !== undefined && candidate.item.pin !== true) {
      dropped.set(index, 'duplicate')
      continue
    }
    if (twin === undefined && isComparable(candidate)) seen.set(candidate.contentHash, index)
    kept.push(index)
  }
  return { kept, dropped }
}

const gated: Readonly<Record<string, true>> = { evidence: true, memory: true, situation: true, tools: true }

function reasonAgainst({ item }: Candidate, { floors }: Policy): ReasonCode | undefined {
  if (item.pin === true || !Object.hasOwn(gated, item.section)) return undefined
  const relevance = item.scores?.relevance ?? item.provenance?.relevanceScore ?? 1
  if (relevance < floors.relevance) return 'below-floor'
  if (item.section === 'tools') return undefined
  const freshness = item.scores?.freshness ?? 1
  if (freshness < floors.freshness) return item.section === 'evidence' ? 'below-floor' : 'expired'
  const authority = item.scores?.authority ?? item.provenance?.authorityScore ?? 1
  return item.section === 'evidence' && authority < floors.authority ? 'below-floor' : undefined
}

/** Conversation is never thinned out as repetition: a word said twice was meant twice. */
function isComparable({ item }: Candidate): boolean {
  return item.text !== '' && (item.section === 'evidence' || item.section === 'memory')
}
