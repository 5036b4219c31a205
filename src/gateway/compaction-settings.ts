import { z } from 'zod'
import { compactionStrategies, compactionTriggers } from '../core/index.ts'

const trigger = z
  .strictObject({
    type: z.enum(compactionTriggers).describe('What the value is held against.'),
    value: z
      .number()
      .min(0)
      .exactOptional()
      .describe('Of `utilization` a share of the window less the reserve (default: 0.8); of `token_count` tokens.'),
  })
  .refine(({ type, value }) => type !== 'token_count' || value !== undefined, 'has no value, which is in tokens')
  .refine(({ type, value = 0 }) => type !== 'utilization' || value <= 1, 'has a value above 1, which is a share')

/** How sessions are compacted; every member may be absent, so that tenant, session and request go before one another member by member. */
export const compactionSettings = z.strictObject({
  strategy: z
    .enum(compactionStrategies)
    .exactOptional()
    .describe('compact: old messages become a brief. handoff: the trigger only advises to start a new session.'),
  trigger: trigger
    .exactOptional()
    .describe("When it happens: strictly above the value. Default: the policy's rule (`epochs.compaction`)."),
  preserveRecent: z
    .number()
    .int()
    .min(0)
    .max(10_000)
    .exactOptional()
    .describe('Newest messages that stay as they are. Default: 6.'),
  summaryBudget: z.number().int().min(50).max(100_000).exactOptional().describe('Tokens of the brief. Default: 2000.'),
  customInstructions: z
    .string()
    .min(1)
    .max(10_000)
    .exactOptional()
    .describe('For the model that writes the briefing of a handoff.'),
})
