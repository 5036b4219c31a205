import type { ReceiptResult } from './receipt-result.ts'
import type { SessionCost } from './store.ts'
import { wholeUsd } from './whole-usd.ts'

/** What a session that has asked for nothing has cost. */
export const noCost: SessionCost = {
  requests: 0,
  priced: 0,
  inputTokens: 0,
  passThroughTokens: 0,
  usd: 0,
  passThroughUsd: 0,
}

/** What one more exchange adds; a request that was refused, and used nothing as far as is known, adds nothing. */
export function costOfResult({ status, cost }: ReceiptResult): SessionCost | undefined {
  if (!cost) return status > 0 && status < 400 ? { ...noCost, requests: 1 } : undefined
  const { inputTokens, passThroughTokens, usd, passThroughUsd } = cost
  const tokens = { requests: 1, inputTokens, passThroughTokens }
  if (usd === undefined || passThroughUsd === undefined) return { ...noCost, ...tokens }
  return { ...tokens, priced: 1, usd, passThroughUsd }
}

export function addedCost(one: SessionCost, other: SessionCost): SessionCost {
  return {
    requests: one.requests + other.requests,
    priced: one.priced + other.priced,
    inputTokens: one.inputTokens + other.inputTokens,
    passThroughTokens: one.passThroughTokens + other.passThroughTokens,
    usd: wholeUsd(one.usd + other.usd),
    passThroughUsd: wholeUsd(one.passThroughUsd + other.passThroughUsd),
  }
}
