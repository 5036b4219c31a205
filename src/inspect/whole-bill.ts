import { largest, mean, quantile, ratio, sum } from './session-pair.ts'
import type { SessionPair } from './session-pair.ts'

/**
 * All that sessions cost in which nothing is missing in the end: input, recorded answers, what the strategy asks the model for itself, what it
 * adds, and hidden rounds that fetch what an answer needs. Shares are against sending everything, answers included; null where there is none.
 */
export interface WholeBill extends BillShares {
  /** What there is beside the input of the conversation, as shares of the bill of sending everything. */
  readonly parts: {
    /** Recorded answers at the price of output. */
    readonly answers: number | null
    /** Calls of ours: what the model reads and writes for them. */
    readonly ownCalls: number | null
    /** Requests that fetch what an answer needs, calls included. */
    readonly hiddenRounds: number | null
  }
  /** Tokens that the strategy adds to requests, as a share of all that it sends. */
  readonly injectedTokenShare: number | null
  /** Sessions by their largest request, sent in full. */
  readonly bySize: readonly (BillShares & { readonly tokens: string })[]
}

export interface BillShares {
  readonly traces: number
  /** All sessions together. */
  readonly ratio: number | null
  readonly mean: number | null
  readonly median: number | null
  /** Share of sessions that pay less. */
  readonly cheaper: number | null
  /** The dearest session of ten requests and more. */
  readonly worst: number | null
}

/** Sessions of fewer requests are short: a definition of a tool weighs much in them. */
const longFrom = 10

/** Largest requests below which a session belongs to a band; chosen from recorded coding runs, of which most lie between the two. */
const bands: readonly (readonly [below: number, name: string])[] = [
  [20_000, 'under 20,000'],
  [60_000, '20,000-60,000'],
  [Infinity, '60,000 and more'],
]

/** Their names, in rising order. */
export const sizeBands: readonly string[] = bands.map(([, name]) => name)

export function wholeBill(pairs: readonly SessionPair[]): WholeBill {
  const inFull = sum(pairs, fullBill)
  return {
    ...billShares(pairs),
    parts: {
      answers: ratio(
        sum(pairs, ({ figures }) => figures.answersCost),
        inFull,
      ),
      ownCalls: ratio(
        sum(pairs, ({ figures }) => figures.askedCost),
        inFull,
      ),
      hiddenRounds: ratio(
        sum(pairs, ({ figures: { settledAll, cost } }) => settledAll.cost + settledAll.callsCost - cost),
        inFull,
      ),
    },
    injectedTokenShare: ratio(
      sum(pairs, ({ figures }) => figures.injectedTokens),
      sum(pairs, ({ figures }) => figures.tokens),
    ),
    bySize: bands.map(([below, tokens], index) => {
      const from = bands[index - 1]?.[0] ?? 0
      return { tokens, ...billShares(pairs.filter((pair) => sizeOf(pair) >= from && sizeOf(pair) < below)) }
    }),
  }
}

function billShares(pairs: readonly SessionPair[]): BillShares {
  const ratios = pairs.flatMap((pair) => billRatio(pair) ?? [])
  const long = pairs.filter(({ figures }) => figures.requests >= longFrom)
  return {
    traces: pairs.length,
    ratio: ratio(sum(pairs, bill), sum(pairs, fullBill)),
    mean: mean(ratios),
    median: quantile(
      ratios.toSorted((a, b) => a - b),
      0.5,
    ),
    cheaper: ratio(ratios.filter((one) => one < 1).length, ratios.length),
    worst: largest(long.flatMap((pair) => billRatio(pair) ?? [])),
  }
}

function billRatio(pair: SessionPair): number | null {
  return ratio(bill(pair), fullBill(pair))
}

function bill({ figures: { settledAll, answersCost } }: SessionPair): number {
  return settledAll.cost + settledAll.callsCost + answersCost
}

function fullBill({ baseline }: SessionPair): number {
  return baseline.cost + baseline.answersCost
}

function sizeOf({ baseline }: SessionPair): number {
  return largest(baseline.steps.map(({ tokens }) => tokens)) ?? 0
}
