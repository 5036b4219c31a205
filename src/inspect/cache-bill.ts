import type { RenderedMessage } from './render.ts'

/** What a request cost. */
export interface Bill {
  readonly tokens: number
  readonly cachedTokens: number
  /** In plain input tokens. */
  readonly cost: number
}

/** A prompt cache that bills the requests of one session. */
export interface BillingCache {
  /** Bills a request that is sent at this time, in milliseconds since the epoch. */
  bill(messages: readonly RenderedMessage[], nowMs: number): Bill
}

/** Multiples of the plain input price. */
export interface PlainPrices {
  readonly read: number
  readonly write: number
}

/**
 * The plain rule: cached is the run of leading messages identical to the previous request, whatever its length and
 * age; everything else is written.
 */
export function plainCache(prices: PlainPrices): BillingCache {
  let previous: readonly RenderedMessage[] = []
  return {
    bill(messages) {
      const shared = sharedMessages(previous, messages)
      const tokens = tokensOf(messages)
      const cachedTokens = tokensOf(messages.slice(0, shared))
      previous = messages
      return { tokens, cachedTokens, cost: (tokens - cachedTokens) * prices.write + cachedTokens * prices.read }
    },
  }
}

/** Leading messages that two requests have in common. */
export function sharedMessages(before: readonly RenderedMessage[], now: readonly RenderedMessage[]): number {
  const most = Math.min(before.length, now.length)
  let shared = 0
  while (shared < most && isSame(before[shared], now[shared])) shared += 1
  return shared
}

function isSame(a: RenderedMessage | undefined, b: RenderedMessage | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.role === b.role && a.text === b.text)
}

export function tokensOf(messages: readonly RenderedMessage[]): number {
  let tokens = 0
  for (const message of messages) tokens += message.tokens
  return tokens
}
