import type { TrialBill } from '../../inspect/index.ts'
import type { LiveReply } from './live-provider.ts'

export const noBill: TrialBill = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }

/** A bill with one more turn, whose first request is the agent's and whose others are ours. Without prices it has no dollars. */
export function withTurn(bill: TrialBill, rounds: readonly LiveReply[]): TrialBill {
  let sum = bill
  for (const [round, { usage, usd }] of rounds.entries()) {
    const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, outputTokens = 0 } = usage ?? {}
    sum = {
      inputTokens: sum.inputTokens + inputTokens - cacheReadTokens - cacheWriteTokens,
      cacheReadTokens: sum.cacheReadTokens + cacheReadTokens,
      cacheWriteTokens: sum.cacheWriteTokens + cacheWriteTokens,
      outputTokens: sum.outputTokens + outputTokens,
      ...(usd !== undefined && { usd: (sum.usd ?? 0) + usd, ownUsd: (sum.ownUsd ?? 0) + (round > 0 ? usd : 0) }),
    }
  }
  return sum
}

/** The same with what tries without a reply may have cost. */
export function withLost(bill: TrialBill, usd: number): TrialBill {
  return usd === 0 ? bill : { ...bill, usd: (bill.usd ?? 0) + usd }
}
