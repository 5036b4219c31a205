import { priceOf } from '../../../tokens/index.ts'
import type { ModelInfo } from '../../../tokens/index.ts'
import { enoughReads } from './kept-session.ts'
import type { KeptSession } from './kept-session.ts'

/** However long a session has run, no more is counted on. */
const mostExpected = 20
const hourMs = 3_600_000

/**
 * Dollars that keeping a session's prompt is expected to save over what it costs: reads at the price of a cached token where
 * the provider's own cache was missed, less what it takes to make, the hours that it is paid for, and what the provider's own
 * cache would have read of all that will come behind it. As many requests again are expected, for the longer a session has run,
 * the longer it will; half of them have to be enough. Undefined where too little is known.
 */
export function keepingGain(session: KeptSession, info: Pick<ModelInfo, 'prices'>): number | undefined {
  const { reads, requests, lastTokens: tokens = 0 } = session
  const plain = priceOf({ inputTokens: tokens, outputTokens: 0 }, info)
  const read = priceOf({ inputTokens: tokens, outputTokens: 0, cacheReadTokens: tokens }, info)
  if (reads.length < enoughReads || tokens === 0 || plain === undefined || read === undefined) return undefined
  const gapMs = averageGapMs(session)
  const expected = Math.min(requests, mostExpected) / 2
  const storage = storageUsd(tokens, info, expected * gapMs + lifetimeMs(gapMs))
  if (storage === undefined) return undefined
  const share = sum(reads.map((one) => one.read)) / Math.max(1, sum(reads.map(({ sent }) => sent)))
  const growth = sum(reads.map((one) => one.growth)) / reads.length
  const discount = plain - read
  const behind = (discount / tokens) * share * growth * ((expected * (expected - 1)) / 2)
  return expected * (1 - share) * discount - plain - storage - Math.max(0, behind)
}

/** What keeping costs, making it aside; undefined where that is not known. */
export function storageUsd(tokens: number, { prices }: Pick<ModelInfo, 'prices'>, ms: number): number | undefined {
  return prices?.cacheStorage === undefined ? undefined : (tokens / 1_000_000) * prices.cacheStorage * (ms / hourMs)
}

/** Three times as long as the next request usually takes to come, between five minutes and an hour. */
export function lifetimeMs(gapMs: number): number {
  return Math.min(hourMs, Math.max(5 * 60_000, 3 * gapMs))
}

export function averageGapMs({ requests, firstMs, lastMs }: KeptSession): number {
  return requests < 2 ? 0 : (lastMs - firstMs) / (requests - 1)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
