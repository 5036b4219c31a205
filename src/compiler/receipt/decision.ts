import type { ManifestDecision, ReasonCode, Rung } from '../../core/index.ts'
import type { Candidate } from '../candidate.ts'

export interface DecisionParts {
  readonly candidate: Candidate
  readonly rung: Rung
  readonly reason: ReasonCode
  readonly originalTokens: number
  readonly tokens: number
  readonly score?: number | undefined
  readonly handle?: string | undefined
}

/** What became of one item, and why (V-003). */
export function decisionOf({ candidate, score, handle, ...rest }: DecisionParts): ManifestDecision {
  return {
    itemId: candidate.item.id,
    section: candidate.item.section,
    contentHash: candidate.contentHash,
    ...rest,
    ...(score === undefined ? {} : { score }),
    ...(handle === undefined ? {} : { handle }),
  }
}
