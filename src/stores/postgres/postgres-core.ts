import { dropRows } from '../rows/relation-sql.ts'
import type { StoreCore } from '../rows/store-core.ts'
import type { TableSet } from '../rows/table-set.ts'
import type { UnitRows, WriteOutcome } from '../rows/unit-rows.ts'
import type { Connections } from './connections.ts'
import { isOfServer } from './postgres-errors.ts'
import { dropTenantStep } from './drop-tenant.ts'
import { prune } from './prune.ts'
import { lockForUnits } from './locks.ts'
import { retried } from './retried.ts'
import { reader, snapshot, writing } from './transaction.ts'
import { writeBatch } from './write-batch.ts'
import type { PostgresTables } from './write-batch.ts'

type Step = (...given: readonly unknown[]) => Promise<boolean>
type Read = (...given: readonly unknown[]) => Promise<unknown>

/** Reads and writes a schema that is up to date. */
export function postgresCore({ transaction }: Connections, tables: TableSet): StoreCore {
  const byName: PostgresTables = new Map(tables.all.map(({ name, postgres }) => [name, postgres]))
  const drops = dropRows('postgres', tables.relations)
  const change = retried({ transaction })

  const written = async (batch: readonly UnitRows[]): Promise<readonly WriteOutcome[]> => {
    try {
      return await change((on) => writeBatch(on, batch, byName))
    } catch (error) {
      if (batch.length === 1 || isOfServer(error)) return batch.map(() => failed(error))
    }
    const outcomes: WriteOutcome[] = []
    for (const rows of batch) outcomes.push(...(await written([rows])))
    return outcomes
  }

  const prepared = (step: Step): Promise<boolean> =>
    change((on) => {
      lockForUnits(on, [])
      return step(writing(on).on)
    })

  return {
    write: written,
    async read(table, name, given) {
      const steps = byName.get(table)?.prepare as Readonly<Record<string, Step>> | undefined
      const step = steps?.[name]
      if (step) while (await prepared((on) => step(on, ...given))) await nextTurn()
      return transaction(snapshot, async (on) => {
        const reads = byName.get(table)?.reads(reader(on)) as Readonly<Record<string, Read>> | undefined
        const read = reads?.[name]
        if (!read) throw new Error(`there is no read ${name} of a table ${table}`)
        return read(...given)
      })
    },
    pruneStep: (nowMs, retention) => change((on) => prune(on, { nowMs, retention, tables })),
    dropTenantStep: (tenant) => change((on) => dropTenantStep(on, { tenant, tables, drops })),
    ping: async () =>
      void (await change(({ ask }) =>
        ask('INSERT INTO pings (id, pings) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET pings = pings.pings + 1'),
      )),
  }
}

/** Lets what waits for the process go first. */
function nextTurn(): Promise<void> {
  return new Promise((done) => {
    setImmediate(done)
  })
}

function failed(error: unknown): WriteOutcome {
  return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) }
}
