import type { AbsoluteBudget } from './absolute-budget.ts'
import { tailExchanges } from '../items/conversation-tail.ts'
import { compressionBands as bands } from './compression-bands.ts'

/** 100,000 tokens of context and 28,000 for the output of a model with a window of 128,000. */
export const gateway128k: AbsoluteBudget = {
  windowTokens: 128_000,
  outputTokens: 28_000,
  slots: [
    // What one vocabulary calls `system` is policy and role here, half each; both stand whole, and what is longer asks for the step to be split.
    { section: 'policy', maxTokens: 2_000, tolerance: bands.policy },
    { section: 'role', maxTokens: 2_000, tolerance: bands.role },
    { section: 'tools', maxTokens: 8_000, maxTools: 12, tolerance: bands.tools },
    { section: 'memory', maxTokens: 3_000, topK: 10, tolerance: bands.memory },
    { section: 'evidence', maxTokens: 15_000, topK: 8, tolerance: bands.evidence },
    { section: 'enrichment', maxTokens: 2_000, removedRatio: 0, tolerance: bands.enrichment },
    {
      section: 'history',
      maxTokens: 60_000,
      recentVerbatimTurns: tailExchanges,
      olderSummaryTokens: 2_000,
      tolerance: bands.history,
    },
    { section: 'query', maxTokens: 8_000, tolerance: bands.query },
  ],
}
