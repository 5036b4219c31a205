import { objectLike, shape } from '../../core/index.ts'
import { addedPruned, retentionOf } from '../kernel/retention.ts'
import type { Pruned, Retention } from '../kernel/retention.ts'
import { movedOn } from '../kernel/store.ts'
import type { AsyncReads, MemoryKernel, MemoryLimits, MemoryTable, Table } from '../kernel/table.ts'
import type { Store, Unit } from '../store.ts'
import { tableSet, unknownTable } from '../rows/table-set.ts'
import type { PortableStore } from '../kernel/portable.ts'
import { memoryPortable } from './memory-portable.ts'
import { memoryScopes } from './memory-scopes.ts'

/** Options of `memoryStore`. */
export interface MemoryStoreOptions extends Partial<MemoryLimits> {
  /** Those of extensions, beside the built-in ones. */
  readonly tables?: readonly Table[]
}

const optionsShape = shape.object<MemoryStoreOptions>({
  maxReceipts: shape.optional(shape.amount),
  maxBodyChars: shape.optional(shape.amount),
  tables: shape.optional(shape.list(objectLike('a table'))),
})

/**
 * Keeps everything in this process: for tests and for gateways that may forget.
 *
 * ```ts
 * import { memoryStore, openSession } from 'prehend'
 *
 * const session = openSession({ store: memoryStore(), tenant: 'acme' })
 * await session.close()
 * ```
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  return openMemory(options).store
}

export interface OpenedMemory {
  readonly store: Store
  /** The same store as rows. */
  readonly portable: PortableStore
}

/** A store in memory, and what is written out of it and into it. */
export function openMemory(options: MemoryStoreOptions = {}): OpenedMemory {
  shape.check(optionsShape, options, 'options')
  const { maxReceipts = 1000, maxBodyChars = 32_000_000 } = options
  const tables = tableSet(options.tables)
  const scopes = memoryScopes()
  const made = new Map<unknown, object>()
  const kernel: MemoryKernel = {
    ...scopes,
    limits: { maxReceipts, maxBodyChars },
    opened: <Opened extends object>(table: { memory(kernel: MemoryKernel): Opened }): Opened => {
      const known = made.get(table) ?? table.memory(kernel)
      made.set(table, known)
      return known as Opened
    },
  }
  const opened = new Map<string, MemoryTable>(tables.all.map((table) => [table.name, kernel.opened(table)]))
  const changing: ReadonlySet<string> = new Set(
    tables.all.flatMap((table) => (table.changesSession ? [table.name] : [])),
  )
  const reads = new Map([...opened].map(([name, table]) => [name, asynchronous(table.reads)]))

  const apply = (unit: Unit): void => {
    const unknown = unknownTable(unit, tables)
    if (unknown) throw unknown
    const { scope, nowMs, expectVersion, writes } = unit
    if (expectVersion !== undefined && expectVersion !== (scopes.find(scope)?.version ?? 0)) throw movedOn(scope)
    for (const write of writes) opened.get(write.table)?.check?.(write, { scope, nowMs })
    const lane = writes.some(({ table }) => changing.has(table)) ? scopes.change(scope, nowMs) : undefined
    for (const write of writes) opened.get(write.table)?.apply(write, { scope, nowMs, ...(lane && { lane }) })
  }

  const prune = (nowMs: number, retention: Retention): Pruned => {
    const gone = scopes.dropIdle((tenant) => nowMs - retentionOf(retention, tenant).sessionIdleMs)
    const rows = [...opened].map(([name, table]) => ({ [name]: table.prune?.({ nowMs, retention, gone }) ?? 0 }))
    return rows.reduce(addedPruned, addedPruned({ sessions: gone.size }, {}))
  }

  const dropTenant = (tenant: string): Pruned => {
    const gone = scopes.dropTenant(tenant)
    const rows = [...opened].map(([name, table]) => {
      const ofLanes = table.prune?.({ nowMs: 0, retention: forever, gone }) ?? 0
      return { [name]: ofLanes + (table.portable.drop?.(tenant) ?? 0) }
    })
    return rows.reduce(addedPruned, addedPruned({ sessions: gone.size }, {}))
  }
  const store: Store = {
    commit: async (unit) => apply(unit),
    read: (name) => reads.get(name) as never,
    prune: async (nowMs, retention) => prune(nowMs, retention),
    dropTenant: async (tenant) => dropTenant(tenant),
    ping: async () => undefined,
    close: async () => undefined,
  }
  return { store, portable: memoryPortable(scopes, { set: tables, opened }) }
}

/** Nothing outlives it. */
const forever: Retention = {
  sessionIdleMs: Number.POSITIVE_INFINITY,
  receiptAgeMs: Number.POSITIVE_INFINITY,
  maxReceipts: Number.POSITIVE_INFINITY,
}

/** The same reads, which answer later. */
function asynchronous<Reads extends object>(reads: Reads): AsyncReads<Reads> {
  const later = Object.entries(reads).map(([name, read]) => {
    const ask = async (...given: unknown[]): Promise<unknown> => Reflect.apply(read as () => unknown, reads, given)
    return [name, ask] as const
  })
  return Object.fromEntries(later) as AsyncReads<Reads>
}
