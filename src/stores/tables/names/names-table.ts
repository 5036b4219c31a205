import { grouped } from '../../../core/index.ts'
import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { MemoryKernel, MemoryTable, SqliteRows, Table } from '../../kernel/table.ts'
import { originalsTable } from '../originals/originals-table.ts'
import { receiptsTable } from '../receipts/receipts-table.ts'
import { nameFinder } from './find-names.ts'
import { auditTable } from '../audit/audit-table.ts'
import { keysTable } from '../keys/keys-table.ts'
import { resultsTable } from '../results/results-table.ts'
import type { FoundNames, NameTypes, TenantSize } from './found-names.ts'
import { findNames } from './postgres-names.ts'
import { tenantSizeIn, tenantSizesSql } from './tenant-sizes.ts'

/** The names of what other tables hold. */
export const namesTable: Table<'names', NameTypes> = {
  name: 'names',
  changesSession: false,
  reads: { find: () => undefined, tenants: () => undefined },
  encode: () => [],
  memory: memoryNames,
  sqlite: {
    open: ({ db }: SqliteKernel): SqliteRows<NameTypes> => {
      const sizes = db.prepare(tenantSizesSql)
      return { apply: nothing, reads: { find: nameFinder(db), tenants: () => sizes.all().map(tenantSizeIn) } }
    },
  },
  postgres: {
    reads: (on) => ({
      find: (tenant, text, limit) => findNames(on, { tenant, text, limit }),
      tenants: async () => (await on.all(tenantSizesSql)).map(tenantSizeIn),
    }),
  },
  relations: [],
}

function nothing(): void {}

function memoryNames(kernel: MemoryKernel): MemoryTable<NameTypes> {
  const originals = kernel.opened(originalsTable)
  const receipts = kernel.opened(receiptsTable)
  const handlesIn = (tenant: string, text: string): FoundNames['handles'] => {
    const handles = new Map<string, FoundNames['handles'][number]>()
    for (const lane of kernel.sessions(tenant).flat()) {
      const { session } = lane.scope
      for (const handle of originals.handlesOf(lane))
        if (handle.startsWith(text)) handles.set(`${handle} ${session}`, { handle, session })
    }
    return [...handles].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, handle]) => handle)
  }
  return {
    apply: nothing,
    reads: {
      tenants: () => tenantSizes(kernel),
      find: (tenant, text, limit) => ({
        sessions: sessionsIn(kernel, tenant, text).slice(0, limit),
        receipts: receipts.named(tenant, text, limit),
        handles: handlesIn(tenant, text).slice(0, limit),
      }),
    },
    portable: { rows: () => [], put: nothing },
  }
}

function tenantSizes(kernel: MemoryKernel): readonly TenantSize[] {
  const named = kernel.opened(keysTable).reads.tenants()
  const [results, audit] = [kernel.opened(resultsTable), kernel.opened(auditTable)]
  const counted = [
    ...results.countedTenants(),
    ...audit.reads.list({ order: 'chain', limit: Infinity }).map(({ tenant }) => tenant),
  ]
  const receipts = grouped([...kernel.opened(receiptsTable).filed()], ({ tenant }) => tenant)
  const all = new Set([...kernel.tenants(), ...named, ...counted].filter((tenant) => tenant !== ''))
  return [...all]
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((tenant) => ({
      tenant,
      sessions: kernel.sessions(tenant).length,
      receipts: receipts.get(tenant)?.length ?? 0,
    }))
}

function sessionsIn(kernel: MemoryKernel, tenant: string, text: string): FoundNames['sessions'] {
  const named = kernel
    .sessions(tenant)
    .flat()
    .filter(({ scope }) => scope.session.includes(text))
  return [...grouped(named, ({ scope }) => scope.session)]
    .map(([session, lanes]) => ({ session, usedMs: Math.max(...lanes.map(({ usedMs }) => usedMs)) }))
    .toSorted((a, b) => b.usedMs - a.usedMs || (a.session < b.session ? -1 : 1))
}
