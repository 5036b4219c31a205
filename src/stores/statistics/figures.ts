import { wholeUsd } from '../whole-usd.ts'
import { addedLatencies } from './latencies.ts'
import type { Latencies } from './latencies.ts'

/** What can be added up of requests; tokens are those that the provider has reported, of all rounds, unless told otherwise. */
export const sumNames = [
  'requests',
  'errors',
  'priced',
  'reported',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'passThroughTokens',
  'usd',
  'passThroughUsd',
  'hiddenRounds',
  'rehydrations',
  'refreshes',
  'refreshUsd',
  'missedTokens',
  'missedUsd',
] as const

type Sums = Readonly<Record<(typeof sumNames)[number], number>>

/** What a group of requests came to. */
export interface Figures extends Sums {
  /** That have ended, however. */
  readonly requests: number
  /** Those of them that no provider has answered, or not to the end. */
  readonly errors: number
  /** Those that `usd` and `passThroughUsd` hold; of the others usage or prices are not known. */
  readonly priced: number
  /** Those of which the provider told how many tokens they took. */
  readonly reported: number
  /** Those read from its cache and those written to it included. */
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  /** Input tokens had everything been sent: an estimate. */
  readonly passThroughTokens: number
  /** Dollars for all rounds, input and output, our own tool and what kept prompts warm included. */
  readonly usd: number
  /** Dollars had everything been sent: an estimate. */
  readonly passThroughUsd: number
  /** Requests that followed a request with answers of our own tools. */
  readonly hiddenRounds: number
  readonly rehydrations: number
  /** Times that a silent session's prompt was read again at its provider, and what of `usd` that came to. */
  readonly refreshes: number
  readonly refreshUsd: number
  /** Tokens that were sent before and had to be read anew, and what that came to beyond a read. */
  readonly missedTokens: number
  readonly missedUsd: number
  /** How often each stage failed and was left out, by its name. */
  readonly skipped: Readonly<Record<string, number>>
  /** What our own work took before requests went upstream. */
  readonly overhead: Latencies
}

export const noFigures: Figures = {
  ...(Object.fromEntries(sumNames.map((name) => [name, 0])) as unknown as Sums),
  skipped: {},
  overhead: [],
}

/** What happened once, as far as it is to be counted: what is absent is nothing. */
export type SomeFigures = Partial<Figures>

export function addedFigures(one: Figures, other: SomeFigures): Figures {
  const sums: Record<string, number> = {}
  for (const name of sumNames) sums[name] = one[name] + (other[name] ?? 0)
  for (const name of ['usd', 'passThroughUsd', 'refreshUsd', 'missedUsd']) sums[name] = wholeUsd(sums[name] ?? 0)
  return {
    ...(sums as unknown as Sums),
    skipped: other.skipped ? addedCounts(one.skipped, other.skipped) : one.skipped,
    overhead: other.overhead ? addedLatencies(one.overhead, other.overhead) : one.overhead,
  }
}

/** Names come from clients' layers, too: they are kept apart from an object's own members. */
function addedCounts(one: Figures['skipped'], other: Figures['skipped']): Figures['skipped'] {
  const counts = new Map(Object.entries(one))
  for (const [name, count] of Object.entries(other)) counts.set(name, (counts.get(name) ?? 0) + count)
  return Object.fromEntries(counts)
}
