import type { CachePrices, Rung, SessionLengths } from '../../core/index.ts'

/** What a request costs, in input-token prices, when its first `cached` tokens are read from the cache. */
export function requestCost(total: number, cached: number, prices: CachePrices): number {
  if (total < prices.minTokens) return total
  const read = cached < prices.minTokens ? 0 : Math.min(cached, total)
  return prices.read * read + prices.write * (total - read)
}

/** The least that a request of so many tokens or more costs; a provider asks less for what is just long enough to be cached. */
export function leastRequestCost(total: number, cached: number, prices: CachePrices): number {
  const cost = requestCost(total, cached, prices)
  return total < prices.minTokens ? Math.min(cost, requestCost(prices.minTokens, cached, prices)) : cost
}

/** Whether what was sent at `lastMs` can still be in the cache; without a clock, it is assumed to be. */
export function isWarm(lastMs: number | undefined, nowMs: number | undefined, prices: CachePrices): boolean {
  if (prices.ttlMs < 0) return false
  if (lastMs === undefined || nowMs === undefined) return true
  return nowMs - lastMs <= prices.ttlMs
}

/** Fewer sessions tell nothing of how long others will be. */
const leastSessions = 5

/**
 * Requests a session has left, given how many it has had: a Pareto law, under which the longer a session has run, the
 * longer it will run. `prior` is the expectation at its first request, as of two sessions of half as many. Earlier sessions count beside these: the more
 * there are, the nearer is the expectation to their mean, however long this one has run.
 */
export function expectedTurns(turns: number, prior: number, earlier: SessionLengths = noSessions): number {
  const { sessions, requests } = earlier.sessions < leastSessions ? noSessions : earlier
  return (turns + prior + requests) / (1 + sessions)
}

const noSessions: SessionLengths = { sessions: 0, requests: 0 }

/** What the wire format adds to an item: role marks, separators. Close enough for every provider. */
export const wrapperTokens = 4

/** Tokens before each item, framing included; the last sum is the whole. */
export function prefixSums(items: readonly { readonly tokens: number; readonly rung?: Rung }[]): readonly number[] {
  const sums = [0]
  let sum = 0
  for (const { tokens, rung } of items) sums.push((sum += rung === 'omitted' ? 0 : tokens + wrapperTokens))
  return sums
}
