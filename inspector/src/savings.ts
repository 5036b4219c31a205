import { money, percent } from './format.ts'

/** What was paid, and what the same would have come to sent otherwise: as the routes tell it of a session, of a span of time, of a request. */
export interface Dollars {
  readonly usd: number
  readonly passThroughUsd: number
  readonly clientUsd: number
  readonly observedUsd: number
  readonly ifOnUsd: number
  readonly ifOnPassThroughUsd: number
}

/** What was saved of the client's own requests; less than nothing where they would have cost less. */
export interface Savings {
  readonly saved: number
  readonly byMarks: number
  readonly byPacking: number
  /** What the client's own requests would have cost, without those of mode `observe`, of which nothing can be saved. */
  readonly of: number
}

export function savingsOf({
  usd,
  passThroughUsd,
  clientUsd,
  observedUsd = 0,
}: Pick<Dollars, 'usd' | 'passThroughUsd' | 'clientUsd'> & Partial<Pick<Dollars, 'observedUsd'>>): Savings {
  const [saved, byMarks, byPacking] = [clientUsd - usd, clientUsd - passThroughUsd, passThroughUsd - usd]
  return { saved, byMarks, byPacking, of: clientUsd - observedUsd }
}

/** What mode `on` would have saved of what was only observed: an estimate. Undefined where nothing was. */
export function savingsIfOn({ observedUsd, ifOnUsd, ifOnPassThroughUsd }: Dollars): Savings | undefined {
  if (observedUsd === 0) return undefined
  return savingsOf({ usd: ifOnUsd, passThroughUsd: ifOnPassThroughUsd, clientUsd: observedUsd })
}

/** What was saved, of what and by what. `cachedShare`: of the input tokens, those that the provider's cache held. */
export function savedWords({ saved, byMarks, byPacking, of }: Savings, cachedShare?: number | null): string {
  const share = percent(of === 0 ? undefined : saved / of)
  const parts = `${share} of ${money(of)}, the client’s own requests: ${money(byMarks)} by cache marks, ${money(byPacking)} by packing`
  return cachedShare === 0 && byMarks > 0 ? `${parts}. ${marksUnread}` : parts
}

/** Packing left little that the cache could have been read for. */
const marksUnread =
  'Nothing was read from the cache: by cache marks is an estimate of the same requests unshortened, with our marks'

/** Whether all that was paid was only observed, so that nothing can have been saved. */
export function isOnlyObserved({ usd, observedUsd }: Dollars): boolean {
  return observedUsd > 0 && observedUsd === usd
}

/** Of one request, as its receipt tells it; undefined where no price is known. */
export function dollarsOf(
  cost:
    | {
        readonly usd?: number
        readonly passThroughUsd?: number
        readonly clientUsd?: number
        readonly ifOn?: { readonly usd: number; readonly passThroughUsd: number }
      }
    | undefined,
): Dollars | undefined {
  const { usd, passThroughUsd, clientUsd = passThroughUsd, ifOn } = cost ?? {}
  if (usd === undefined || passThroughUsd === undefined || clientUsd === undefined) return undefined
  const observed = {
    observedUsd: ifOn ? usd : 0,
    ifOnUsd: ifOn?.usd ?? 0,
    ifOnPassThroughUsd: ifOn?.passThroughUsd ?? 0,
  }
  return { usd, passThroughUsd, clientUsd, ...observed }
}
