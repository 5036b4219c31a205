import { isPrehendError } from '../../core/index.ts'
import { addedPruned } from '../kernel/retention.ts'
import type { Pruned } from '../kernel/retention.ts'
import type { Scope } from '../kernel/scope.ts'
import { storeError } from '../kernel/store.ts'
import type { Store } from '../store.ts'
import { commitQueue } from './commit-queue.ts'
import { knownSessions } from './known-sessions.ts'
import type { KnownSessions } from './known-sessions.ts'
import type { CorePruneStep, StoreCore } from './store-core.ts'
import { builtInTables, unknownTable } from './table-set.ts'
import type { TableSet } from './table-set.ts'

export interface StoreClientOptions {
  readonly core: StoreCore
  /** The built-in ones by default. */
  readonly tables?: TableSet
  /** What is remembered of what was written; to be forgotten where the core begins anew. */
  readonly known?: KnownSessions
  /** Lets go of the core, once nothing waits any more. */
  readonly release: () => Promise<void>
  /** What to do about a failure; that of a file by default. */
  readonly remedy?: string
}

type ScopeOf = (...given: readonly unknown[]) => Scope | undefined

/** A store upon a core, wherever that is: works out what is new of a unit, and hands over only that. */
export function storeClient(options: StoreClientOptions): Store {
  const { core, tables = builtInTables, known = knownSessions(), release, remedy } = options
  const queue = commitQueue({ write: (batch) => core.write(batch), known, tables })

  /** What was committed before is written first, or has failed. */
  const settled = async <Result>(doing: string, ask: () => Promise<Result>, scope?: Scope): Promise<Result> => {
    try {
      await queue.settled(scope)
      return await ask()
    } catch (error) {
      return storeFailed(doing, error, remedy)
    }
  }

  const reads: ReadonlyMap<string, object> = new Map(
    tables.all.map(({ name: table, reads: settledBy }) => {
      const asked = Object.entries(settledBy as Readonly<Record<string, ScopeOf>>).map(([name, scopeOf]) => {
        const ask = (...given: unknown[]): Promise<unknown> =>
          settled('read', () => core.read(table, name, given), scopeOf(...given))
        return [name, ask] as const
      })
      return [table, Object.fromEntries(asked)] as const
    }),
  )

  const inSteps = async (next: () => Promise<CorePruneStep>): Promise<Pruned> => {
    let pruned: Pruned = {}
    for (let more = true; more; await nextTurn()) {
      const step = await next()
      if (step.pruned['sessions'] !== undefined) known.forget()
      pruned = addedPruned(pruned, step.pruned)
      more = step.more
    }
    return pruned
  }

  return {
    async commit(unit) {
      const unknown = unknownTable(unit, tables)
      if (unknown) throw unknown
      await queue.add(unit).catch((error: unknown) => storeFailed('write', error, remedy))
    },
    read: (table) => reads.get(table) as never,
    prune: (nowMs, retention) => settled('prune', () => inSteps(() => core.pruneStep(nowMs, retention))),
    dropTenant: (tenant) => settled('delete a tenant', () => inSteps(() => core.dropTenantStep(tenant))),
    ping: () => settled('write', () => core.ping()),
    close: () => settled('close', release),
  }
}

/** Throws what went wrong as the one error that a store fails with; conflicts pass. */
export function storeFailed(doing: string, cause: unknown, remedy?: string): never {
  if (isPrehendError(cause)) throw cause
  throw storeError(doing, reasonOf(cause), remedy, cause)
}

/** A connection that several addresses refused says so only in its code. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}

/** Lets what waits for the process go first. */
function nextTurn(): Promise<void> {
  return new Promise((done) => {
    setImmediate(done)
  })
}
