import { wholeUsd } from '../whole-usd.ts'
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
  'clientUsd',
  'observedUsd',
  'ifOnUsd',
  'ifOnPassThroughUsd',
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
  /** Those that the dollars hold; of the others usage or prices are not known. */
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
  /** Dollars had everything been sent, with our cache marks: an estimate. */
  readonly passThroughUsd: number
  /** The same with the client's own cache marks, or none: an estimate. */
  readonly clientUsd: number
  /** Of `usd`, what requests of mode `observe` cost, as far as it is estimated what mode `on` would have. */
  readonly observedUsd: number
  /** That estimate, and the same with everything sent and our cache marks. */
  readonly ifOnUsd: number
  readonly ifOnPassThroughUsd: number
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
  const sum = figuresSum()
  sum.add(one)
  sum.add(other)
  return sum.figures()
}

/** A sum of many, which makes nothing new for each. */
export interface FiguresSum {
  add(figures: SomeFigures): void
  figures(): Figures
}

export function figuresSum(): FiguresSum {
  const sums = sumNames.map(() => 0)
  const overhead: number[] = []
  // Names come from hosts' layers, too: they are kept apart from an object's own members.
  const skipped = new Map<string, number>()
  return {
    add(figures) {
      for (let index = 0; index < sumNames.length; index += 1)
        sums[index] = (sums[index] ?? 0) + (figures[sumNames[index] as (typeof sumNames)[number]] ?? 0)
      const { overhead: more = [] } = figures
      for (let bucket = 0; bucket < more.length; bucket += 1)
        overhead[bucket] = (overhead[bucket] ?? 0) + (more[bucket] ?? 0)
      for (const name in figures.skipped) skipped.set(name, (skipped.get(name) ?? 0) + (figures.skipped[name] ?? 0))
    },
    figures: () => ({
      ...(Object.fromEntries(
        sumNames.map((name, index) => [name, inDollars.has(name) ? wholeUsd(sums[index] ?? 0) : sums[index]]),
      ) as unknown as Sums),
      skipped: Object.fromEntries(skipped),
      overhead: [...overhead],
    }),
  }
}

const inDollars: ReadonlySet<string> = new Set(sumNames.filter((name) => name === 'usd' || name.endsWith('Usd')))
