import type { Dollars } from './dollars.ts'
import { wholeUsd } from './whole-usd.ts'

/** What was saved against the client's own requests; less than nothing where they would have cost less. */
export interface Savings {
  /** The sum of the two. */
  readonly savedUsd: number
  /** The client's own requests less the same requests with our cache marks. */
  readonly byMarksUsd: number
  /** Those less what was paid: packing, with our tools, hidden rounds and refreshes of caches in it. */
  readonly byPackingUsd: number
  /** Of what the client's own requests would have cost; undefined where that is nothing. */
  readonly share: number | undefined
}

export function savingsOf({
  usd,
  passThroughUsd,
  clientUsd,
}: Pick<Dollars, 'usd' | 'passThroughUsd' | 'clientUsd'>): Savings {
  return {
    savedUsd: wholeUsd(clientUsd - usd),
    byMarksUsd: wholeUsd(clientUsd - passThroughUsd),
    byPackingUsd: wholeUsd(passThroughUsd - usd),
    share: clientUsd > 0 ? 1 - usd / clientUsd : undefined,
  }
}

/** What mode `on` would have saved of what was observed: an estimate. Undefined where nothing was. */
export function savingsIfOn(
  cost: Pick<Dollars, 'observedUsd' | 'ifOnUsd' | 'ifOnPassThroughUsd'>,
): Savings | undefined {
  const { observedUsd: clientUsd, ifOnUsd: usd, ifOnPassThroughUsd: passThroughUsd } = cost
  return clientUsd > 0 ? savingsOf({ usd, passThroughUsd, clientUsd }) : undefined
}
