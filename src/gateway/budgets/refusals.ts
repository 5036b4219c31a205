import { PrehendError } from '../../core/index.ts'
import type { AccountStanding } from '../../stores/index.ts'
import { usdOf } from './limit-entries.ts'
import type { LimitEntry } from './limit-entries.ts'

/** Room may come back before a period ends where others have reserved it. */
const soonMs = 2000

/** A request that a limit has no room for. */
export function beyondLimit(entry: LimitEntry, standing: AccountStanding, nowMs: number): PrehendError<'rate-limited'> {
  const { amount, most = 0, endMs, limit = '' } = entry
  const { settled, open } = standing
  const amountText = entry.unit === 'nanoUsd' ? dollars : String
  const whose =
    entry.scope.kind === 'tenant' ? 'The tenant' : `The ${entry.scope.kind} ${JSON.stringify(entry.scope.name)}`
  const used = `has used ${amountText(settled)} of ${amountText(most)} (${limit})`
  const more = open > 0 ? `, and ${amountText(open)} is reserved for requests under way` : ''
  const wanted = amount > 0 ? `; this request may take ${amountText(amount)}` : ''
  const { remedy, retryAfterMs } = whenAgain({ amount, most, settled, endMs }, nowMs)
  return new PrehendError('rate-limited', `${whose} ${used}${more}${wanted}. ${remedy}`, { remedy, retryAfterMs })
}

interface Room {
  readonly amount: number
  readonly most: number
  readonly settled: number
  readonly endMs: number | undefined
}

function whenAgain({ amount, most, settled, endMs }: Room, nowMs: number): { remedy: string; retryAfterMs: number } {
  const end = endMs === undefined ? undefined : new Date(endMs).toISOString()
  const retryAfterMs = Math.max(0, (endMs ?? nowMs + soonMs) - nowMs)
  if (amount > most)
    return { remedy: 'Ask for less output (max_tokens), or ask the operator for a higher limit.', retryAfterMs }
  if (settled + Math.max(amount, 1) <= most)
    return { remedy: 'Try again when requests under way have ended.', retryAfterMs: Math.min(soonMs, retryAfterMs) }
  return { remedy: `The limit begins anew at ${end ?? 'any time'}. Try again then.`, retryAfterMs }
}

function dollars(nano: number): string {
  const usd = usdOf(nano)
  return `$${usd.toFixed(usd < 1 ? 6 : 2)}`
}

/** A request that cannot be counted, where the limit is a promise. */
export function notCounted(cause: unknown): PrehendError<'unavailable'> {
  const remedy =
    'Try again in a moment; the operator finds the reason in the log, and `budgets.whenUnavailable` decides.'
  const message = `Its budget cannot be read now, and without that nothing is sent. ${remedy}`
  return new PrehendError('unavailable', message, { retryAfterMs: 1000, remedy }, cause)
}
