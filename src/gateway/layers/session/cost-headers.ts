import type { SessionCost } from '../../../stores/index.ts'

/** What the requests of a session before this one came to, in dollars; nothing where none of them has a price. */
export function costHeaders(cost: SessionCost | undefined): Readonly<Record<string, string>> {
  if (!cost || cost.priced === 0) return {}
  const { usd, passThroughUsd } = cost
  return {
    'x-prehend-session-cost-usd': usd.toFixed(6),
    'x-prehend-session-saved-usd': (passThroughUsd - usd).toFixed(6),
  }
}
