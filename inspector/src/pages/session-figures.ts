import type { TimelineEntry } from '../api/answers.ts'

/** What a session's requests come to, and how the money ran up. */
export interface SessionFigures {
  readonly spent: number | undefined
  readonly everything: number | undefined
  /** Requests that a provider has billed at a known price: sums of money are of them. */
  readonly priced: number
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
export function sessionFigures(rows: readonly TimelineEntry[]): SessionFigures {
  const last = rows.at(-1)?.soFar
  const isPriced = last !== undefined && last.priced > 0
  return {
    spent: isPriced ? last.usd : undefined,
    everything: isPriced ? last.passThroughUsd : undefined,
    priced: last?.priced ?? 0,
    inputTokens: sum(rows, ({ cachedTokens, uncachedTokens }) => (cachedTokens ?? 0) + (uncachedTokens ?? 0)),
    cachedTokens: sum(rows, ({ cachedTokens }) => cachedTokens ?? 0),
    breaks: rows.filter(breaksCache).length,
    failures: rows.filter(hasFailed).length,
    hiddenRounds: sum(rows, ({ hiddenRounds }) => hiddenRounds),
    overheadMs: median(rows.flatMap(({ overheadMs }) => (overheadMs === null ? [] : [overheadMs]))),
    runningSpent: rows.map(({ soFar }) => soFar.usd),
    runningEverything: rows.map(({ soFar }) => soFar.passThroughUsd),
    epochs: epochBeginnings(rows),
  }
}

/** One that a provider has refused is begun again by the request after it, under the same number. */
function epochBeginnings(rows: readonly TimelineEntry[]): readonly number[] {
  const seen = new Set<string>()
  return rows.flatMap((row, index) => {
    const name = `${row.lane} ${row.epoch?.epoch}`
    if (!beginsEpoch(row) || seen.has(name)) return []
    seen.add(name)
    return [index + 1]
  })
}

export function beginsEpoch({ epoch }: TimelineEntry): boolean {
  return epoch?.decision === 'begin' && epoch.cause !== 'first-request'
}

export function hasFailed({ status, failure }: TimelineEntry): boolean {
  return status !== null && (status === 0 || status >= 400 || (failure !== null && failure !== 'client-gone'))
}

/** Whether something was read anew that a cache could have held; what is too short for it is not kept at all. */
export function breaksCache({ cacheMiss }: TimelineEntry): boolean {
  return cacheMiss !== undefined && cacheMiss.cause !== 'too-short'
}

/** Of what a provider read; undefined where it has not said. */
export function cachedShare({ cachedTokens, uncachedTokens }: TimelineEntry): number | undefined {
  if (cachedTokens === null || uncachedTokens === null || cachedTokens + uncachedTokens === 0) return undefined
  return cachedTokens / (cachedTokens + uncachedTokens)
}

function sum(rows: readonly TimelineEntry[], of: (row: TimelineEntry) => number): number {
  return rows.reduce((total, row) => total + of(row), 0)
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
