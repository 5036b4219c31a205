import type { SessionFigures } from './replay-trace.ts'

/** One row of a replay: a strategy over all traces. Ratios are against pass-through; null is not applicable. */
export interface StrategyReport {
  readonly name: string
  readonly tokens: number
  readonly tokenRatio: number | null
  readonly cachedShare: number | null
  readonly breaks: number
  /** In plain input tokens. */
  readonly cost: number
  /** The same in money, where the price of the model is known. */
  readonly dollars: number | null
  readonly costRatio: number | null
  readonly worstTraceCostRatio: number | null
  readonly settledCostRatio: number | null
  readonly worstTraceSettledRatio: number | null
  readonly rehydrations: number | null
  readonly needleRecall: number | null
  readonly needleLineRecall: number | null
  readonly p50Ms: number | null
  readonly p99Ms: number | null
}

export interface ReplayReport {
  readonly traces: number
  readonly requests: number
  readonly provider: string
  readonly strategies: readonly StrategyReport[]
}

/** A session sent by one strategy, beside the same session sent in full. */
export interface SessionPair {
  readonly figures: SessionFigures
  readonly baseline: SessionFigures
}

/** `inputDollars` is the price of a million plain input tokens. */
export function strategyReport(name: string, pairs: readonly SessionPair[], inputDollars?: number): StrategyReport {
  const settled = pairs.filter((pair) => pair.figures.settled !== undefined)
  const tokens = sum(pairs, ({ figures }) => figures.tokens)
  const cost = sum(pairs, ({ figures }) => figures.cost)
  const needles = sum(pairs, ({ figures }) => figures.retained?.needles ?? 0)
  const times = pairs.flatMap(({ figures }) => figures.milliseconds).toSorted((a, b) => a - b)
  return {
    name,
    tokens,
    tokenRatio: ratio(
      tokens,
      sum(pairs, ({ baseline }) => baseline.tokens),
    ),
    cachedShare: ratio(
      sum(pairs, ({ figures }) => figures.cachedTokens),
      tokens,
    ),
    breaks: sum(pairs, ({ figures }) => figures.breaks),
    cost,
    dollars: inputDollars === undefined ? null : (cost * inputDollars) / 1e6,
    costRatio: ratio(cost, baselineCost(pairs)),
    worstTraceCostRatio: worst(pairs, ({ figures }) => figures.cost),
    settledCostRatio: ratio(sum(settled, settledCost), baselineCost(settled)),
    worstTraceSettledRatio: worst(settled, settledCost),
    rehydrations: settled.length === 0 ? null : sum(settled, ({ figures }) => figures.settled?.rehydrations ?? 0),
    needleRecall: ratio(
      sum(pairs, ({ figures }) => figures.retained?.strings ?? 0),
      needles,
    ),
    needleLineRecall: ratio(
      sum(pairs, ({ figures }) => figures.retained?.lines ?? 0),
      needles,
    ),
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  }
}

function settledCost({ figures }: SessionPair): number {
  return figures.settled?.cost ?? 0
}

function baselineCost(pairs: readonly SessionPair[]): number {
  return sum(pairs, ({ baseline }) => baseline.cost)
}

function sum(pairs: readonly SessionPair[], of: (pair: SessionPair) => number): number {
  return pairs.reduce((total, pair) => total + of(pair), 0)
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

function worst(pairs: readonly SessionPair[], costOf: (pair: SessionPair) => number): number | null {
  let most: number | null = null
  for (const pair of pairs) {
    if (pair.baseline.cost > 0) most = Math.max(most ?? 0, costOf(pair) / pair.baseline.cost)
  }
  return most
}

function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null
}
