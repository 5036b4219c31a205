import { savingsIfOn, savingsOf } from '../../../stores/index.ts'
import type { SessionCost } from '../../../stores/index.ts'

/** What the requests of a session before this one came to, in dollars; nothing where none of them has a price. */
export function costHeaders(cost: SessionCost | undefined): Readonly<Record<string, string>> {
  if (!cost || cost.priced === 0) return {}
  const { savedUsd, byMarksUsd } = savingsOf(cost)
  const would = savingsIfOn(cost)
  return {
    'x-prehend-session-cost-usd': cost.usd.toFixed(6),
    'x-prehend-session-saved-usd': savedUsd.toFixed(6),
    'x-prehend-session-saved-by-marks-usd': byMarksUsd.toFixed(6),
    ...(would && { 'x-prehend-session-would-save-usd': would.savedUsd.toFixed(6) }),
  }
}
