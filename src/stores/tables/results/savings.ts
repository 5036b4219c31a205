import type { Dollars } from './dollars.ts'
import { wholeUsd } from './whole-usd.ts'

/** What was saved against the client's own requests; less than nothing where they would have cost less. */
export interface Savings {
  /** The sum of the two. */
  readonly savedUsd: number
  /**
   * The client's own requests less the same unshortened requests with our cache marks: an estimate, also where packing
   * left nothing that the cache could have been read for.
   */
  readonly byMarksUsd: number
  /** Those less what was paid: packing, with our tools, hidden rounds and refreshes of caches in it. */
  readonly byPackingUsd: number
  /** What the client's own requests would have cost, without those of mode `observe`, of which nothing can be saved. */
  readonly ofUsd: number
  /** Of that; undefined where it is nothing. */
  readonly share: number | undefined
}

export function savingsOf({
  usd,
  passThroughUsd,
  clientUsd,
  observedUsd = 0,
}: Pick<Dollars, 'usd' | 'passThroughUsd' | 'clientUsd'> & Partial<Pick<Dollars, 'observedUsd'>>): Savings {
  const ofUsd = wholeUsd(clientUsd - observedUsd)
  return {
    savedUsd: wholeUsd(clientUsd - usd),
    byMarksUsd: wholeUsd(clientUsd - passThroughUsd),
    byPackingUsd: wholeUsd(passThroughUsd - usd),
    ofUsd,
    share: ofUsd > 0 ? (clientUsd - usd) / ofUsd : undefined,
  }
}

/** What mode `on` would have saved of what was observed: an estimate. Undefined where nothing was. */
export function savingsIfOn(
  cost: Pick<Dollars, 'observedUsd' | 'ifOnUsd' | 'ifOnPassThroughUsd'>,
): Savings | undefined {
  const { observedUsd: clientUsd, ifOnUsd: usd, ifOnPassThroughUsd: passThroughUsd } = cost
  return clientUsd > 0 ? savingsOf({ usd, passThroughUsd, clientUsd }) : undefined
}
