import type { Retention, Pruned } from '../kernel/retention.ts'
import type { UnitRows, WriteOutcome } from './unit-rows.ts'

/**
 * What a store asks of whoever owns the database. Arguments and answers are plain data, so that the owner may be another
 * thread; what was asked first is done first.
 */
export interface StoreCore {
  /** In order and in one transaction, as far as they can be. A unit that cannot be written does not spoil the others. */
  write(batch: readonly UnitRows[]): Promise<readonly WriteOutcome[]>
  /** One of the reads of a table. */
  read(table: string, name: string, given: readonly unknown[]): Promise<unknown>
  /** Removes a little of what has outlived its keep. */
  pruneStep(nowMs: number, retention: Retention): Promise<CorePruneStep>
  /** Removes a little of what is kept of a tenant. */
  dropTenantStep(tenant: string): Promise<CorePruneStep>
  ping(): Promise<void>
}

export interface CorePruneStep {
  readonly pruned: Pruned
  readonly more: boolean
}
