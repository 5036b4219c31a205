import { dollarsOf } from './dollars.ts'
import type { Dollars } from './dollars.ts'
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
  clientUsd: 0,
  observedUsd: 0,
  ifOnUsd: 0,
  ifOnPassThroughUsd: 0,
}

/** What one more exchange adds; a request that was refused, and used nothing as far as is known, adds nothing. */
export function costOfResult({ status, cost }: ReceiptResult): SessionCost | undefined {
  if (!cost) return status > 0 && status < 400 ? { ...noCost, requests: 1 } : undefined
  const { inputTokens, passThroughTokens } = cost
  const dollars = dollarsOf(cost)
  return { ...noCost, requests: 1, inputTokens, passThroughTokens, ...(dollars && { priced: 1, ...dollars }) }
}

export function addedCost(one: SessionCost, other: SessionCost): SessionCost {
  const whole = (of: keyof Dollars): number => wholeUsd(one[of] + other[of])
  return {
    requests: one.requests + other.requests,
    priced: one.priced + other.priced,
    inputTokens: one.inputTokens + other.inputTokens,
    passThroughTokens: one.passThroughTokens + other.passThroughTokens,
    usd: whole('usd'),
    passThroughUsd: whole('passThroughUsd'),
    clientUsd: whole('clientUsd'),
    observedUsd: whole('observedUsd'),
    ifOnUsd: whole('ifOnUsd'),
    ifOnPassThroughUsd: whole('ifOnPassThroughUsd'),
  }
}
