import type { RequestRow } from '../api/answers.ts'

/** What a session's requests come to, and how the money ran up. */
export interface SessionFigures {
  readonly spent: number | undefined
  readonly everything: number | undefined
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly breaks: number
  readonly failures: number
  readonly hiddenRounds: number
  readonly overheadMs: number | undefined
  /** Dollars up to and with each request. */
  readonly runningSpent: readonly number[]
  readonly runningEverything: readonly number[]
  /** Ordinals, from 1, of requests with which an epoch began. */
  readonly epochs: readonly number[]
}

/** Of requests, the oldest first. */
export function sessionFigures(rows: readonly RequestRow[]): SessionFigures {
  const costs = rows.map(({ result }) => result?.cost)
  const isPriced = costs.some((cost) => cost?.usd !== undefined && cost.passThroughUsd !== undefined)
  const runningSpent = runningSum(costs.map((cost) => (cost?.passThroughUsd === undefined ? 0 : (cost.usd ?? 0))))
  const runningEverything = runningSum(costs.map((cost) => (cost?.usd === undefined ? 0 : (cost.passThroughUsd ?? 0))))
  return {
    spent: isPriced ? runningSpent.at(-1) : undefined,
    everything: isPriced ? runningEverything.at(-1) : undefined,
    inputTokens: sum(rows, ({ result }) => result?.usage?.inputTokens),
    cachedTokens: sum(rows, ({ result }) => result?.usage?.cacheReadTokens),
    breaks: rows.filter(({ result }) => result?.cacheMiss).length,
    failures: rows.filter(hasFailed).length,
    hiddenRounds: sum(rows, ({ result }) => result?.rounds?.length),
    overheadMs: median(rows.flatMap(({ result }) => (result ? [result.overheadMs] : []))),
    runningSpent,
    runningEverything,
    epochs: rows.flatMap((row, index) => (beginsEpoch(row) ? [index + 1] : [])),
  }
}

export function beginsEpoch({ epochRecord }: RequestRow): boolean {
  return epochRecord?.decision === 'begin' && epochRecord.cause !== 'first-request'
}

export function hasFailed({ result }: RequestRow): boolean {
  return result !== undefined && (result.status === 0 || result.status >= 400 || isFailure(result.failure))
}

function isFailure(failure: string | undefined): boolean {
  return failure !== undefined && failure !== 'client-gone'
}

/** Of what a provider read; undefined where it has not said. */
export function cachedShare({ result }: RequestRow): number | undefined {
  const usage = result?.usage
  return usage && usage.inputTokens > 0 ? (usage.cacheReadTokens ?? 0) / usage.inputTokens : undefined
}

function sum(rows: readonly RequestRow[], of: (row: RequestRow) => number | undefined): number {
  return rows.reduce((total, row) => total + (of(row) ?? 0), 0)
}

function runningSum(values: readonly number[]): readonly number[] {
  let total = 0
  return values.map((value) => (total += value))
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
