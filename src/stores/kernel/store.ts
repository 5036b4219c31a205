import { PrehendError } from '../../core/index.ts'
import type { Retention, Pruned } from './retention.ts'
import type { Scope } from './scope.ts'
import type { AsyncReads, TableTypes } from './table.ts'
import type { OnTrouble } from './troubles.ts'

/** The types of some tables, by their names. */
export type TableMap = Readonly<Record<string, TableTypes>>

/** One write, to the table that it names. */
export type WriteTo<Tables extends TableMap> = {
  [Name in keyof Tables & string]: { readonly table: Name } & Tables[Name]['write']
}[keyof Tables & string]

/** Everything that one step of a request writes: all of it or nothing, in the order of its writes. */
export interface UnitOf<Write> {
  readonly scope: Scope
  /** Milliseconds since the epoch. */
  readonly nowMs: number
  /**
   * The version of the session that the writes were decided upon, 0 where there was none: where it has another by now, the unit
   * fails with `conflict`.
   */
  readonly expectVersion?: number
  /** `idle`: nobody waits for it, so it may wait some milliseconds for others. `awaited` by default. */
  readonly urgency?: 'awaited' | 'idle'
  readonly writes: readonly Write[]
}

/**
 * Keeps what must outlive a request. It knows transactions, scopes, versions and time; what is stored is the matter of its
 * tables. Every engine passes one contract suite, `storeContract` of `prehend/testing`. Failures reject with `store-failed`;
 * an engine never leaves a unit half-written.
 */
export interface StoreOf<Tables extends TableMap> {
  /** Resolves when the unit survives the death of the process. Units of one session keep their order. */
  commit(unit: UnitOf<WriteTo<Tables>>): Promise<void>
  /** The reads of a table; they see every unit that was committed before, also one that still waits to be written. */
  read<Name extends keyof Tables & string>(table: Name): AsyncReads<Tables[Name]['reads']>
  /** Removes what has outlived its keep. */
  prune(nowMs: number, retention: Retention): Promise<Pruned>
  /** Removes all that is kept of a tenant, a little at a time, so that requests get their turn in between. */
  dropTenant(tenant: string): Promise<Pruned>
  /** Rejects when the store cannot be written to. */
  ping(): Promise<void>
  /** Writes what is still waiting, then lets go of everything. */
  close(): Promise<void>
  /** The file that it keeps everything in; absent where there is none. */
  readonly file?: string
  /** Reports troubles until the returned function is called; absent where a store has none of its own. */
  readonly onTrouble?: OnTrouble
}

/** A session that has moved on since the unit was decided upon. */
export function movedOn({ session }: Scope): PrehendError<'conflict'> {
  const what = `session ${session}`
  const remedy = 'Read it again and decide again.'
  return new PrehendError('conflict', `Somebody else has changed ${what} meanwhile. ${remedy}`, { what, remedy })
}

const checkFile = 'Check that the store file exists, is writable, and that the disk has room.'

/** The one error that a store fails with. */
export function storeError(doing: string, reason: string, remedy = checkFile, cause?: unknown): PrehendError {
  const data = { remedy, ...(isOfFullDisk(reason) && { cause: 'full' as const }) }
  return new PrehendError('store-failed', `The store could not ${doing}: ${reason}. ${remedy}`, data, cause)
}

/** By the words of SQLite, of the system and of PostgreSQL: codes do not cross to another thread. */
function isOfFullDisk(reason: string): boolean {
  return /database or disk is full|ENOSPC|no space left on device/i.test(reason)
}
