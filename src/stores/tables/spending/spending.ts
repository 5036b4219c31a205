/** What is counted against budgets; of money in billionths of a dollar. */
export type SpendingUnit = 'nanoUsd' | 'tokens' | 'requests'

/** A whole amount that somebody has spent on one day. */
export interface SpendingSum {
  /** Whose budget it counts against: `tenant`, `team:NAME` or `key:NAME`. */
  readonly scope: string
  /** A UTC day, such as `2026-11-27`. */
  readonly day: string
  readonly unit: SpendingUnit
  readonly amount: number
}

/**
 * Counts what a reservation came to, once for each id. One that `lapsed` counts as much as was reserved; what it really came to takes its
 * place where that is told later.
 */
export interface SpendingWrite {
  readonly id: string
  readonly spent: readonly SpendingSum[]
  readonly lapsed?: true
}

export interface SpendingQuery {
  /** The first day. */
  readonly since: string
  /** Reservations that may have been counted. */
  readonly ids: readonly string[]
}

/** What was counted at one moment. */
export interface SpendingStanding {
  readonly sums: readonly SpendingSum[]
  /** Those of the ids that the sums hold. */
  readonly recorded: readonly SpendingWrite[]
}

export interface SpendingReads {
  /** Sums and ids are of the same moment, whoever writes meanwhile. */
  standing(tenant: string, query: SpendingQuery): SpendingStanding
}

export interface SpendingTypes {
  readonly write: SpendingWrite
  readonly reads: SpendingReads
}

const dayMs = 86_400_000

/** Ids are kept until the month that they count in is over. */
export const idsKeptMs = 40 * dayMs
const sumsKeptMs = 400 * dayMs

/** The first day whose sums are kept. */
export function oldestDay(nowMs: number): string {
  return new Date(nowMs - sumsKeptMs).toISOString().slice(0, 10)
}
