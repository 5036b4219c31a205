import type { ManifestDecision, ReasonCode, Rung } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'

export interface DecisionParts {
  readonly rung: Rung
  readonly reason: ReasonCode
  readonly originalTokens: number
  readonly tokens: number
  readonly score?: number | undefined
  readonly handle?: string | undefined
}

/** What became of one item, and why. The decision of the last compile where nothing about it changed. */
export function decisionOf(candidate: Candidate, parts: DecisionParts): ManifestDecision {
  const { memo, item, contentHash } = candidate
  const { rung, reason, originalTokens, tokens, score, handle } = parts
  const last = memo.decision
  if (
    last !== undefined &&
    last.tokens === tokens &&
    last.rung === rung &&
    last.reason === reason &&
    last.originalTokens === originalTokens &&
    last.score === score &&
    last.handle === handle
  )
    return last
  memo.decision = {
    itemId: item.id,
    section: item.section,
    contentHash,
    rung,
    reason,
    originalTokens,
    tokens,
    ...(score === undefined ? {} : { score }),
    ...(handle === undefined ? {} : { handle }),
  }
  return memo.decision
}
