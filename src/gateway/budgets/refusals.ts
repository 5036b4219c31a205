import { PrehendError, isPrehendError } from '../../core/index.ts'
import type { AccountStanding } from '../../stores/index.ts'
import { usdOf } from './limit-entries.ts'
import type { CallAmounts } from './price-bounds.ts'
import type { LimitEntry } from './limit-entries.ts'

/** Room may come back before a period ends where others have reserved it. */
const soonMs = 2000

/** What of a call makes it as large as it may be. */
export interface CallCauses {
  /** What it comes to with its prompt and no answer. */
  readonly ofPrompt: CallAmounts
  /** What it comes to with one answer. */
  readonly withOne: CallAmounts
  /** How many answers it asks for. */
  readonly choices: number
  /** Whether it says itself how long an answer may be. */
  readonly isBounded: boolean
}

export interface Refusing {
  readonly nowMs: number
  readonly causes?: CallCauses | undefined
}

/** A request that a limit has no room for. */
export function beyondLimit(
  entry: LimitEntry,
  standing: AccountStanding,
  { nowMs, causes }: Refusing,
): PrehendError<'rate-limited'> {
  const { amount, most = 0, endMs, limit = '' } = entry
  const { settled, open } = asUsed(entry, standing)
  if (amount > most) return beyondWhole(entry, causes)
  const amountText = entry.unit === 'nanoUsd' ? dollars : String
  const whose =
    entry.scope.kind === 'tenant' ? 'The tenant' : `The ${entry.scope.kind} ${JSON.stringify(entry.scope.name)}`
  const used = `has used ${amountText(settled)} of ${amountText(most)} (${limit})`
  const more = open > 0 ? `, and ${amountText(open)} is reserved for requests under way` : ''
  const wanted = amount > 0 ? `; this request may take ${amountText(amount)}` : ''
  const { remedy, retryAfterMs } = whenAgain({ amount, most, settled, endMs }, nowMs)
  return new PrehendError('rate-limited', `${whose} ${used}${more}${wanted}. ${remedy}`, {
    remedy,
    retryAfterMs,
    limit: limitName(entry),
  })
}

/** A request that has been let in stays counted as one, however it ends, so no wait for its end makes room. */
function asUsed({ unit }: LimitEntry, { settled, open }: AccountStanding): AccountStanding {
  return unit === 'requests' ? { settled: settled + open, open: 0 } : { settled, open }
}

/** A request that no wait makes room for: it has no time to try again. */
function beyondWhole(entry: LimitEntry, causes: CallCauses | undefined): PrehendError<'rate-limited'> {
  const { scope, amount, most = 0, limit = 'requestsPerDay', unit } = entry
  const whose = scope.kind === 'tenant' ? limit : `${limit} of the ${scope.kind} ${JSON.stringify(scope.name)}`
  const isMoney = unit === 'nanoUsd'
  const [may, whole] = isMoney ? [`cost ${shortDollars(amount)}`, shortDollars(most)] : [`take ${amount}`, `${most}`]
  const remedy = isMoney || unit === 'tokens' ? smaller(unit, most, causes) : higher
  const message = `This request alone may ${may}, more than the whole limit of ${whole} (${whose}). ${remedy}`
  return new PrehendError('rate-limited', message, { remedy, limit: limitName(entry) })
}

const higher = 'Ask the operator for a higher limit.'

/** How a request gets smaller: by the part of it that is too large. */
function smaller(unit: 'nanoUsd' | 'tokens', most: number, causes: CallCauses | undefined): string {
  if (causes === undefined) return 'Send max_tokens, or set outputTokens.'
  const { ofPrompt, withOne, choices, isBounded } = causes
  if (ofPrompt[unit] > most) {
    const [verb, amount] = unit === 'nanoUsd' ? ['cost', shortDollars(ofPrompt[unit])] : ['take', `${ofPrompt[unit]}`]
    return `Its prompt alone may ${verb} ${amount}. Send a shorter one, or ask the operator for a higher limit.`
  }
  if (choices > 1 && withOne[unit] <= most)
    return `It asks for ${choices} answers, and one fits. Ask for fewer (n or candidateCount).`
  return isBounded ? 'Send a smaller max_tokens.' : 'Send max_tokens, or set outputTokens.'
}

/** For the log: whose limit, and which. */
function limitName({ scope, limit = 'requestsPerDay' }: LimitEntry): string {
  return scope.kind === 'tenant' ? limit : `${limit} of the ${scope.kind} ${scope.name}`
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
  if (settled + Math.max(amount, 1) <= most)
    return { remedy: 'Try again when requests under way have ended.', retryAfterMs: Math.min(soonMs, retryAfterMs) }
  return { remedy: `The limit begins anew at ${end ?? 'any time'}. Try again then.`, retryAfterMs }
}

function dollars(nano: number): string {
  const usd = usdOf(nano)
  return `$${usd.toFixed(usd < 1 ? 6 : 2)}`
}

/** Without zeros that say nothing, but with cents. */
function shortDollars(nano: number): string {
  return dollars(nano).replace(/(\.\d\d\d*?)0+$/, '$1')
}

/** A request that cannot be counted, where the limit is a promise. */
export function notCounted(tenant: string, cause: unknown): PrehendError<'unavailable'> {
  const remedy =
    'Try again in a moment; the operator finds the reason in the log, and `budgets.whenUnavailable` decides.'
  const message = `The budget of tenant ${tenant} cannot be read: ${silentServer(cause)}. Without it nothing is sent. ${remedy}`
  return new PrehendError('unavailable', message, { retryAfterMs: 1000, remedy }, cause)
}

/** Which server is missing, without its address. */
function silentServer(cause: unknown): string {
  if (!isPrehendError(cause) || cause.code !== 'store-failed') return 'its ledger is not ready'
  return 'server' in cause.data && cause.data.server === 'Redis' ? 'Redis does not answer' : 'the store does not answer'
}
