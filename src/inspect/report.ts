import type { RereadFigures } from './measures/rereading.ts'
import type { StepFigures } from './replay-trace.ts'
import { recallReport } from './recall-report.ts'
import type { RecallReport } from './recall-report.ts'
import { savingsByMoment } from './savings-by-moment.ts'
import type { SavingsByMoment } from './savings-by-moment.ts'
import { largest, mean, quantile, ratio, smallest, sum } from './session-pair.ts'
import type { SessionPair } from './session-pair.ts'
import { wholeBill } from './whole-bill.ts'
import type { WholeBill } from './whole-bill.ts'

/** One row of a replay: a strategy over all traces. Ratios are against pass-through; null is not applicable. */
export interface StrategyReport extends RecallReport {
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
  /** The whole bill, with the recorded answers in it: in money, and against pass-through. */
  readonly billDollars: number | null
  readonly billRatio: number | null
  /** What the same requests cost where nothing is cached: every token of input the plain price. */
  readonly uncachedCost: number
  /** The share of the input cost that the cache saves against that; less than nothing where writing it costs more than was read. */
  readonly cachingSaves: number | null
  /** The same of the session in which it saves least. */
  readonly leastTraceCachingSaves: number | null
  /** Of single sessions: half of them have a lower whole bill against pass-through. */
  readonly medianTraceBillRatio: number | null
  /** The share of sessions whose whole bill is lower than that of pass-through. */
  readonly cheaperTraces: number | null
  readonly worstTraceCostRatio: number | null
  readonly settledCostRatio: number | null
  readonly worstTraceSettledRatio: number | null
  readonly rehydrations: number | null
  /** As settled, with what the agent has written itself and what its edits quote brought back, too. */
  readonly settledAllCostRatio: number | null
  readonly worstTraceSettledAllRatio: number | null
  readonly rehydrationsAll: number
  readonly compactions: number
  readonly meanRequestTokens: number | null
  readonly largestRequestTokens: number | null
  /** Of what tools bring: the share of characters in lines that they had brought before, and in those of them that the request before did not show. */
  readonly repeatedShare: number | null
  readonly rereadShare: number | null
  readonly referencesAmbiguous: number
  readonly unreadLinesReplaced: number
  readonly failuresHidden: number
  /** Requests that the strategy could not pack and sent as they came, by what forbade it. */
  readonly unpacked: Readonly<Record<string, number>>
  /** Requests larger than the window, and those in whose place the policy sends nothing: billed in full, and nothing of theirs is recalled. */
  readonly refused: number
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  /** What single requests save that hold results of tools older than the newest two. */
  readonly perStep: StepSavings
  readonly wholeBill: WholeBill
  readonly savings: SavingsByMoment
}

/** Shares that requests save against pass-through, request by request; null where there is none. */
export interface StepSavings {
  /** Requests with old results. */
  readonly steps: number
  /** Of their tokens. */
  readonly meanTokens: number | null
  readonly medianTokens: number | null
  /** Of their cost: less than nothing in a request that writes its cache anew. */
  readonly meanCost: number | null
  readonly medianCost: number | null
}

export interface ReplayReport {
  readonly traces: number
  readonly requests: number
  readonly provider: string
  readonly strategies: readonly StrategyReport[]
}

/** `inputDollars` is the price of a million plain input tokens. */
export function strategyReport(name: string, pairs: readonly SessionPair[], inputDollars?: number): StrategyReport {
  const settled = pairs.filter((pair) => pair.figures.settled !== undefined)
  const tokens = sum(pairs, ({ figures }) => figures.tokens)
  const cost = sum(pairs, ({ figures }) => figures.cost)
  const answers = sum(pairs, ({ figures }) => figures.answersCost)
  const bills = pairs.flatMap(
    ({ figures, baseline }) => ratio(figures.cost + figures.answersCost, baseline.cost + figures.answersCost) ?? [],
  )
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
    billDollars: inputDollars === undefined ? null : ((cost + answers) * inputDollars) / 1e6,
    billRatio: ratio(cost + answers, baselineCost(pairs) + answers),
    uncachedCost: sum(pairs, ({ figures }) => figures.tokens + figures.writtenCost),
    cachingSaves: savedBy(pairs),
    leastTraceCachingSaves: smallest(pairs.flatMap((pair) => savedBy([pair]) ?? [])),
    medianTraceBillRatio: quantile(
      bills.toSorted((a, b) => a - b),
      0.5,
    ),
    cheaperTraces: ratio(bills.filter((one) => one < 1).length, bills.length),
    worstTraceCostRatio: worst(pairs, ({ figures }) => figures.cost),
    settledCostRatio: ratio(sum(settled, settledCost), baselineCost(settled)),
    worstTraceSettledRatio: worst(settled, settledCost),
    rehydrations: settled.length === 0 ? null : sum(settled, ({ figures }) => figures.settled?.rehydrations ?? 0),
    settledAllCostRatio: ratio(sum(pairs, settledAllCost), baselineCost(pairs)),
    worstTraceSettledAllRatio: worst(pairs, settledAllCost),
    rehydrationsAll: sum(pairs, ({ figures }) => figures.settledAll.rehydrations),
    ...recallReport(pairs),
    compactions: sum(pairs, ({ figures }) => figures.compactions),
    ...requestFigures(pairs),
    referencesAmbiguous: sum(pairs, ({ figures }) => figures.referencesAmbiguous),
    unreadLinesReplaced: sum(pairs, ({ figures }) => figures.unreadLinesReplaced),
    failuresHidden: sum(pairs, ({ figures }) => figures.failuresHidden),
    unpacked: unpackedOf(pairs),
    refused: sum(pairs, ({ figures }) => figures.refused),
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    perStep: stepSavings(pairs),
    wholeBill: wholeBill(pairs),
    savings: savingsByMoment(pairs),
  }
}

/** A request that holds more results than these has old ones. */
const newestResults = 2

function stepSavings(pairs: readonly SessionPair[]): StepSavings {
  const tokens: number[] = []
  const costs: number[] = []
  for (const { figures, baseline } of pairs)
    for (const [index, step] of figures.steps.entries()) {
      const whole = baseline.steps[index]
      if (whole === undefined || step.results <= newestResults || whole.tokens === 0 || whole.cost === 0) continue
      tokens.push(1 - step.tokens / whole.tokens)
      costs.push(1 - step.cost / whole.cost)
    }
  const sorted = (shares: readonly number[]): readonly number[] => shares.toSorted((a, b) => a - b)
  return {
    steps: tokens.length,
    meanTokens: mean(tokens),
    medianTokens: quantile(sorted(tokens), 0.5),
    meanCost: mean(costs),
    medianCost: quantile(sorted(costs), 0.5),
  }
}

/** Of the input: what a model writes costs the same with a cache and without. */
function savedBy(pairs: readonly SessionPair[]): number | null {
  const paid = ratio(
    sum(pairs, ({ figures }) => figures.cost - figures.writtenCost),
    sum(pairs, ({ figures }) => figures.tokens),
  )
  return paid === null ? null : 1 - paid
}

function unpackedOf(pairs: readonly SessionPair[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const { figures } of pairs)
    for (const [why, count] of figures.unpacked) counts.set(why, (counts.get(why) ?? 0) + count)
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function requestFigures(pairs: readonly SessionPair[]) {
  return {
    meanRequestTokens: ratio(
      sum(pairs, ({ figures }) => figures.tokens),
      sum(pairs, ({ figures }) => figures.requests),
    ),
    largestRequestTokens: largest(pairs.flatMap(({ figures }) => largestRequest(figures.steps) ?? [])),
    repeatedShare: shareBrought(pairs, ({ repeated }) => repeated),
    rereadShare: shareBrought(pairs, ({ reread }) => reread),
  }
}

function largestRequest(steps: readonly StepFigures[]): number | null {
  return largest(steps.map(({ tokens }) => tokens))
}

function shareBrought(pairs: readonly SessionPair[], of: (figures: RereadFigures) => number): number | null {
  return ratio(
    sum(pairs, ({ figures }) => of(figures.rereading)),
    sum(pairs, ({ figures }) => figures.rereading.brought),
  )
}

function settledAllCost({ figures }: SessionPair): number {
  return figures.settledAll.cost
}

function settledCost({ figures }: SessionPair): number {
  return figures.settled?.cost ?? 0
}

function baselineCost(pairs: readonly SessionPair[]): number {
  return sum(pairs, ({ baseline }) => baseline.cost)
}

function worst(pairs: readonly SessionPair[], costOf: (pair: SessionPair) => number): number | null {
  let most: number | null = null
  for (const pair of pairs) {
    if (pair.baseline.cost > 0) most = Math.max(most ?? 0, costOf(pair) / pair.baseline.cost)
  }
  return most
}
