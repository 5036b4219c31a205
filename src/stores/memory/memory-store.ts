import { shape } from '../../core/index.ts'
import { addedPruned, retentionOf } from '../kernel/retention.ts'
import type { Pruned, Retention } from '../kernel/retention.ts'
import { movedOn } from '../kernel/store.ts'
import type { AsyncReads, MemoryKernel, MemoryLimits, MemoryTable } from '../kernel/table.ts'
import type { Store, Unit } from '../store.ts'
import { allTables } from '../tables/tables.ts'
import { memoryScopes } from './memory-scopes.ts'

export type MemoryStoreOptions = Partial<MemoryLimits>

const optionsShape = shape.object<MemoryStoreOptions>({
  maxReceipts: shape.optional(shape.amount),
  maxBodyChars: shape.optional(shape.amount),
})

/** Keeps everything in this process: for tests and for gateways that may forget. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  shape.check(optionsShape, options, 'options')
  const { maxReceipts = 1000, maxBodyChars = 32_000_000 } = options
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
  const opened = new Map<string, MemoryTable>(allTables.map((table) => [table.name, kernel.opened(table)]))
  const changing: ReadonlySet<string> = new Set(
    allTables.flatMap((table) => (table.changesSession ? [table.name] : [])),
  )
  const reads = new Map([...opened].map(([name, table]) => [name, asynchronous(table.reads)]))

  const apply = ({ scope, nowMs, expectVersion, writes }: Unit): void => {
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

  return {
    commit: async (unit) => apply(unit),
    read: (name) => reads.get(name) as never,
    prune: async (nowMs, retention) => prune(nowMs, retention),
    ping: async () => undefined,
    close: async () => undefined,
  }
}

/** The same reads, which answer later. */
function asynchronous<Reads extends object>(reads: Reads): AsyncReads<Reads> {
  const later = Object.entries(reads).map(([name, read]) => {
    const ask = async (...given: unknown[]): Promise<unknown> => Reflect.apply(read as () => unknown, reads, given)
    return [name, ask] as const
  })
  return Object.fromEntries(later) as AsyncReads<Reads>
}
