/** What it costs to read from a provider's cache and to write to it, in multiples of the input price. */
export interface RefreshPrices {
  readonly read: number
  readonly write: number
  /** How long a prefix stays after it was last read or written. */
  readonly ttlMs: number
}

export interface SilentSession {
  /** When its requests began, oldest first. */
  readonly startsMs: readonly number[]
  /** Asked only where it depends on it. */
  prompt(): CachedTokens
}

export interface CachedTokens {
  /** That are in the cache. */
  readonly tokens: number
  /** What it would be shortened to, for nothing, once they are not. */
  readonly coldTokens: number
}

export interface RefreshRules {
  /** A refresh is due that long after the request or refresh before it. */
  readonly everyMs: number
  /** More than this are never sent in one silence. */
  readonly most: number
}

/** Late returns that must have been seen before anything is spent on the next one. */
const leastReturns = 2
/** What was seen of a session is little: what is spent must have brought at least so many times as much. */
const leastReturn = 2

/**
 * How many refreshes of its cached prompt in one silence would have paid best for a session, its last silence included, from
 * which it may never come back; 0 where none pays. A session that is never away for longer than its cache lasts gets none, and
 * neither does one that has not come back late at least twice.
 *
 * A cold cache is the time to shorten a conversation for nothing, and what is shorter costs less until the next one: where
 * that is worth more than what a warm one saves, nothing is refreshed.
 */
export function refreshesThatPay(
  session: SilentSession,
  { everyMs, most }: RefreshRules,
  prices: RefreshPrices,
): number {
  const { startsMs } = session
  const silences = startsMs.slice(1).map((ms, index) => ms - (startsMs[index] ?? ms))
  const late = silences.filter((ms) => ms > prices.ttlMs)
  if (late.length < leastReturns) return 0
  const prompt = session.prompt()
  let best = { refreshes: 0, gain: 0 }
  for (let refreshes = 1; refreshes <= most; refreshes += 1) {
    const sentIn = (ms: number): number => Math.min(refreshes, Math.floor(ms / everyMs))
    const kept = late.filter((ms) => ms <= sentIn(ms) * everyMs + prices.ttlMs)
    if (kept.length < leastReturns) continue
    const sent = silences.reduce((total, ms) => total + sentIn(ms), refreshes)
    const reads = startsMs.length / late.length + sent / (late.length + 1)
    const saved = kept.length * savedByReturn(prompt, reads, prices)
    const spent = sent * prices.read
    if (saved >= leastReturn * spent && saved - spent > best.gain) best = { refreshes, gain: saved - spent }
  }
  return best.refreshes
}

/** Per token that is in the cache, where the conversation would be read so many times until the next late return. */
function savedByReturn({ tokens, coldTokens }: CachedTokens, reads: number, { read, write }: RefreshPrices): number {
  return (write * coldTokens - read * tokens - reads * read * (tokens - coldTokens)) / tokens
}
