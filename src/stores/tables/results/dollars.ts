import type { ExchangeCost } from '../receipts/receipt-result.ts'

/** What priced requests cost, and what other ways of sending them would have cost. */
export interface Dollars {
  readonly usd: number
  /** With everything sent and our cache marks: an estimate. */
  readonly passThroughUsd: number
  /** The client's own requests, with its own cache marks or none: an estimate. */
  readonly clientUsd: number
  /** Of `usd`, what requests of mode `observe` cost, as far as it is estimated what mode `on` would have. */
  readonly observedUsd: number
  /** That estimate, and the same with everything sent and our cache marks. */
  readonly ifOnUsd: number
  readonly ifOnPassThroughUsd: number
}

/** Undefined where no price is known. A receipt of an earlier version does not tell marks from packing: it holds no saving by marks. */
export function dollarsOf(cost: ExchangeCost | undefined): Dollars | undefined {
  const { usd, passThroughUsd, clientUsd = passThroughUsd, ifOn } = cost ?? {}
  if (usd === undefined || passThroughUsd === undefined || clientUsd === undefined) return undefined
  return {
    usd,
    passThroughUsd,
    clientUsd,
    observedUsd: ifOn ? usd : 0,
    ifOnUsd: ifOn?.usd ?? 0,
    ifOnPassThroughUsd: ifOn?.passThroughUsd ?? 0,
  }
}
