import { grouped } from '../../../../core/index.ts'
import { isFailed } from '../../receipts/receipt-result.ts'
import type { Asker, ReceiptResult } from '../../receipts/receipt-result.ts'
import { dollarsOf } from '../dollars.ts'
import { figuresSum } from './figures.ts'
import type { Figures, FiguresSum, SomeFigures } from './figures.ts'
import { oneLatency } from './latencies.ts'

/** Something to be counted beside the results of receipts, in the hour of its commit. */
export interface Tally {
  /** The one that was asked, or its name with the client where nobody was. */
  readonly model: string
  readonly policy: string
  readonly figures: SomeFigures
  /** Who has asked; absent where no token or key was presented. */
  readonly asker?: Asker
}

/** What the requests of one hour came to, by model and policy, and by who has asked where that is told apart. */
export interface Rollup {
  /** When the hour began, in milliseconds since the epoch. */
  readonly hourMs: number
  readonly model: string
  readonly policy: string
  readonly key?: string
  readonly team?: string
  readonly user?: string
  readonly figures: SomeFigures
}

/** By what statistics may be told apart; hours and days are those of UTC. */
export const statisticsDimensions = ['hour', 'day', 'model', 'policy', 'team', 'key', 'user'] as const
export type StatisticsDimension = (typeof statisticsDimensions)[number]

export interface StatisticsQuery {
  /** Hours that begin at this time or later, and those that begin before that one; all where absent. */
  readonly sinceMs?: number
  readonly untilMs?: number
  readonly model?: string
  readonly policy?: string
  /** Told apart by these; one sum of all where there are none. */
  readonly by?: readonly StatisticsDimension[]
}

/** The sum of a group of hours; of what it is not told apart by it says nothing. */
export interface StatisticsRow {
  readonly startMs?: number
  readonly model?: string
  readonly policy?: string
  /** Empty where the key names none; also `user`. */
  readonly team?: string
  readonly key?: string
  readonly user?: string
  readonly figures: Figures
}

export const hourOfMs = 3_600_000
const dayMs = 24 * hourOfMs

export function hourOf(atMs: number): number {
  return Math.floor(atMs / hourOfMs) * hourOfMs
}

const unknownModel = 'unknown'
/** Where an hour has more models and policies than are told apart, what comes later is counted together. */
export const otherModels = 'other'
export const mostGroupsAnHour = 500
const mostNameChars = 200

/** The name that requests are counted under: clients may ask for anything. */
export function keptModel(model: string): string {
  return keptName(model) || unknownModel
}

export function keptName(name: string): string {
  return name.slice(0, mostNameChars)
}

/** What a result adds. What kept its prompt warm was counted when it was spent. */
export function figuresOfResult(result: Omit<ReceiptResult, 'upstreamMs'>): SomeFigures {
  const { status, usage, cost, rounds, rehydrations, cacheMiss, keptWarm, skipped = [], overheadMs, failure } = result
  const dollars = dollarsOf(cost)
  return {
    requests: 1,
    errors: isFailed({ status, failure }) ? 1 : 0,
    ...(usage && {
      reported: 1,
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      cacheReadTokens: usage.cacheReadTokens ?? 0,
      cacheWriteTokens: usage.cacheWriteTokens ?? 0,
    }),
    ...(cost && { passThroughTokens: cost.passThroughTokens }),
    ...(dollars && { ...dollars, priced: 1, usd: dollars.usd - (keptWarm?.usd ?? 0) }),
    hiddenRounds: rounds?.length ?? 0,
    rehydrations,
    ...(cacheMiss && { missedTokens: cacheMiss.tokens, missedUsd: cacheMiss.usd ?? 0 }),
    ...(skipped.length > 0 && { skipped: countsOf(skipped) }),
    overhead: oneLatency(overheadMs),
  }
}

/** What a result counts, and for whom. */
export function countedOf(result: ReceiptResult): Pick<Tally, 'figures' | 'asker'> {
  return { figures: figuresOfResult(result), ...(result.asker && { asker: result.asker }) }
}

function countsOf(names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...grouped(names, (name) => name)].map(([name, all]) => [name, all.length]))
}

/** Adds hours up by what a query tells them apart by; the groups stand in the order of their beginnings and names. */
export function summedRollups(rollups: Iterable<Rollup>, query: StatisticsQuery): readonly StatisticsRow[] {
  const { by = [] } = query
  const groups = new Map<string, { readonly group: Omit<StatisticsRow, 'figures'>; readonly sum: FiguresSum }>()
  for (const rollup of rollups) {
    if (!isAsked(rollup, query)) continue
    const group = groupOf(rollup, by)
    const key = JSON.stringify(group)
    const known = groups.get(key) ?? { group, sum: figuresSum() }
    groups.set(key, known)
    known.sum.add(rollup.figures)
  }
  return [...groups.values()].map(({ group, sum }) => ({ ...group, figures: sum.figures() })).toSorted(inOrder)
}

function isAsked(
  { hourMs, model, policy }: Omit<Rollup, 'figures'>,
  { sinceMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY, ...only }: StatisticsQuery,
): boolean {
  if (hourMs < sinceMs || hourMs >= untilMs) return false
  return (only.model ?? model) === model && (only.policy ?? policy) === policy
}

function groupOf(
  { hourMs, model, policy, key = '', team = '', user = '' }: Rollup,
  by: readonly StatisticsDimension[],
): Omit<StatisticsRow, 'figures'> {
  const span = by.includes('hour') ? hourOfMs : by.includes('day') ? dayMs : undefined
  return {
    ...(span !== undefined && { startMs: Math.floor(hourMs / span) * span }),
    ...(by.includes('model') && { model }),
    ...(by.includes('policy') && { policy }),
    ...(by.includes('team') && { team }),
    ...(by.includes('key') && { key }),
    ...(by.includes('user') && { user }),
  }
}

function inOrder(a: StatisticsRow, b: StatisticsRow): number {
  return (
    (a.startMs ?? 0) - (b.startMs ?? 0) ||
    compared(a.model ?? '', b.model ?? '') ||
    compared(a.policy ?? '', b.policy ?? '') ||
    compared(a.team ?? '', b.team ?? '') ||
    compared(a.key ?? '', b.key ?? '') ||
    compared(a.user ?? '', b.user ?? '')
  )
}

function compared(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
