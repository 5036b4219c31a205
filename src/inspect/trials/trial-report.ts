import { bootstrapMean } from '../labelled/bootstrap.ts'
import type { Cluster, Interval } from '../labelled/bootstrap.ts'
import { holm, mcnemar } from './mcnemar.ts'
import type { Discordant } from './mcnemar.ts'
import { independentPairs, pairsNeeded, significance, smallestLoss } from './power.ts'
import { countsAsResult } from './trial.ts'
import type { Trial, TrialBill } from './trial.ts'
import { wilsonShare } from './wilson.ts'
import type { ShareInterval } from './wilson.ts'

/** Runs of a policy. Means are per run; their intervals draw whole tasks anew, or single runs where there are fewer than five tasks. */
export interface PolicyTrials {
  readonly policy: string
  /** Runs with a result. */
  readonly runs: number
  /** Runs without: outages, interruptions and the spending cap. They stand in no figure but `spentUsd` of the report. */
  readonly withoutResult: number
  readonly solved: ShareInterval | undefined
  readonly usd: Interval | undefined
  /** All that was spent, divided by the tasks that were solved. */
  readonly usdPerSolved: number | undefined
  readonly turns: Interval | undefined
  /** Of all runs together. */
  readonly bill: TrialBill
  readonly rehydrations: number
  readonly refused: number
  readonly comparison?: TrialComparison
}

/** A policy beside the baseline, over the blocks in which both have a result. */
export interface TrialComparison extends Discordant {
  readonly baseline: string
  readonly pairs: number
  /** Of the share that is solved: policy less baseline. */
  readonly difference: Interval
  /** McNemar's exact test, adjusted for the number of policies. */
  readonly p: number
  readonly verdict: 'better' | 'worse' | 'unclear'
  /** Dollars per run: policy less baseline. */
  readonly usdChange: Interval | undefined
  /** What the policy's runs cost, in shares of what the baseline's cost. */
  readonly usdRatio: number | undefined
  /** The loss in points that so many pairs find in 80 of 100 experiments. */
  readonly seenPoints: number | undefined
  /** Pairs that find a loss of ten points as often. */
  readonly pairsForTenPoints: number | undefined
}

export interface TrialReport {
  readonly baseline: string
  readonly tasks: number
  /** Of all runs, those without a result included; absent where the model has no price. */
  readonly spentUsd?: number
  readonly policies: readonly PolicyTrials[]
}

/** Reports runs by policy, in this order, beside the baseline. Pure: the same runs give the same report. */
export function trialReport(trials: readonly Trial[], policies: readonly string[], baseline: string): TrialReport {
  const results = trials.filter(countsAsResult)
  const others = policies.filter((policy) => policy !== baseline)
  const compared = others.map((policy) => comparisonOf(results, policy, baseline))
  const adjusted = holm(compared.map((one) => one?.p ?? 1))
  const comparisons = new Map(others.map((policy, at) => [policy, judged(compared[at], adjusted[at] ?? 1)]))
  const spentUsd = sumUsd(trials.map(({ bill }) => bill.usd))
  return {
    baseline,
    tasks: new Set(results.map(({ task }) => task)).size,
    ...(spentUsd !== undefined && { spentUsd }),
    policies: policies.map((policy) => {
      const comparison = comparisons.get(policy)
      return { ...policyTrials(trials, policy), ...(comparison && { comparison }) }
    }),
  }
}

function policyTrials(trials: readonly Trial[], policy: string): PolicyTrials {
  const own = trials.filter((trial) => trial.policy === policy)
  const results = own.filter(countsAsResult)
  const solved = results.filter((trial) => trial.solved).length
  const bill = sumBills(results.map((trial) => trial.bill))
  return {
    policy,
    runs: results.length,
    withoutResult: own.length - results.length,
    solved: wilsonShare(solved, results.length),
    usd: bill.usd === undefined ? undefined : bootstrapMean(byTask(results, ({ bill: { usd } }) => usd ?? 0)),
    usdPerSolved: bill.usd === undefined || solved === 0 ? undefined : bill.usd / solved,
    turns: bootstrapMean(byTask(results, ({ turns }) => turns)),
    bill,
    rehydrations: sum(results.map(({ rehydrations }) => rehydrations)),
    refused: sum(results.map(({ refused }) => refused)),
  }
}

type Pair = readonly [baseline: Trial, policy: Trial]

type Compared = Omit<TrialComparison, 'verdict'>

function comparisonOf(results: readonly Trial[], policy: string, baseline: string): Compared | undefined {
  const blockOf = ({ task, repeat }: Trial): string => JSON.stringify([task, repeat])
  const known = new Map(results.filter((trial) => trial.policy === baseline).map((trial) => [blockOf(trial), trial]))
  const pairs = results.flatMap((trial): readonly Pair[] => {
    const before = trial.policy === policy ? known.get(blockOf(trial)) : undefined
    return before === undefined ? [] : [[before, trial]]
  })
  const difference = bootstrapMean(pairsByTask(pairs, ({ solved }) => Number(solved)))
  if (difference === undefined) return undefined
  const onlyBaseline = pairs.filter(([before, after]) => before.solved && !after.solved).length
  const onlyPolicy = pairs.filter(([before, after]) => !before.solved && after.solved).length
  const [before, after] = [0, 1].map((side) => sumUsd(pairs.map((pair) => pair[side]?.bill.usd)))
  const isPriced = before !== undefined && after !== undefined
  const share = Math.min(0.95, Math.max(0.15, sum(pairs.map(([{ solved }]) => Number(solved))) / pairs.length))
  return {
    baseline,
    pairs: pairs.length,
    onlyBaseline,
    onlyPolicy,
    difference,
    p: mcnemar({ onlyBaseline, onlyPolicy }),
    usdChange: isPriced ? bootstrapMean(pairsByTask(pairs, ({ bill }) => bill.usd ?? 0)) : undefined,
    usdRatio: isPriced && before > 0 ? after / before : undefined,
    seenPoints: smallestLoss(pairs.length, share),
    pairsForTenPoints: pairsNeeded(independentPairs(share, 0.1)),
  }
}

function judged(compared: Compared | undefined, p: number): TrialComparison | undefined {
  if (compared === undefined) return undefined
  const isBetter = compared.onlyPolicy > compared.onlyBaseline
  return { ...compared, p, verdict: p >= significance ? 'unclear' : isBetter ? 'better' : 'worse' }
}

function byTask(trials: readonly Trial[], figure: (trial: Trial) => number): readonly Cluster[] {
  return clustersOf(
    Map.groupBy(trials, ({ task }) => task),
    figure,
  )
}

function pairsByTask(pairs: readonly Pair[], figure: (trial: Trial) => number): readonly Cluster[] {
  const change = ([before, after]: Pair): number => figure(after) - figure(before)
  return clustersOf(
    Map.groupBy(pairs, ([{ task }]) => task),
    change,
  )
}

/** Of fewer tasks no interval can be made by drawing them anew. */
const leastTasks = 5

function clustersOf<Value>(
  groups: ReadonlyMap<string, readonly Value[]>,
  figure: (value: Value) => number,
): readonly Cluster[] {
  const clusters = [...groups.values()].map((group) => group.map(figure))
  return clusters.length < leastTasks ? clusters.flat().map((value) => [value]) : clusters
}

function sumBills(bills: readonly TrialBill[]): TrialBill {
  const of = (name: 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'outputTokens'): number =>
    sum(bills.map((bill) => bill[name]))
  const usd = sumUsd(bills.map((bill) => bill.usd))
  const ownUsd = sumUsd(bills.map((bill) => bill.ownUsd))
  return {
    inputTokens: of('inputTokens'),
    cacheReadTokens: of('cacheReadTokens'),
    cacheWriteTokens: of('cacheWriteTokens'),
    outputTokens: of('outputTokens'),
    ...(usd !== undefined && { usd }),
    ...(ownUsd !== undefined && { ownUsd }),
  }
}

/** Undefined where one of them is not known. */
function sumUsd(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length < values.length || known.length === 0 ? undefined : sum(known)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
