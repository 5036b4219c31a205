import { dollarsOf } from './dollars.ts'
import type { Dollars } from './dollars.ts'
import type { ReceiptResult } from '../receipts/receipt-result.ts'
import { wholeUsd } from './whole-usd.ts'

/** What the exchanges of a session came to: the sum of its receipts, those too that were pruned since. */
export interface SessionCost extends Dollars {
  /** Exchanges that the provider has answered. */
  readonly requests: number
  /** Those of them that the dollars hold; of the others usage or prices are not known. */
  readonly priced: number
  readonly inputTokens: number
  readonly passThroughTokens: number
}

/** A session as it stands in a list, with all its lanes. */
export interface SessionSummary {
  readonly session: string
  readonly usedMs: number
  readonly cost: SessionCost
}

export interface SessionQuery {
  readonly limit: number
  readonly session?: string
  /** Those that stand behind this one, as a list has told it: what is used meanwhile moves to the front. */
  readonly after?: Pick<SessionSummary, 'session' | 'usedMs'>
}

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
