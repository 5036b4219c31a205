import type { PostgresTable } from '../kernel/table.ts'
import type { UnitRows, WriteOutcome } from '../rows/unit-rows.ts'
import type { Statements } from './connection.ts'
import { putFragment } from './fragments.ts'
import { lockForUnits } from './locks.ts'
import { lockScopes } from './scope-rows.ts'
import type { ScopeRows } from './scope-rows.ts'
import { writing } from './transaction.ts'
import type { Writing } from './transaction.ts'

/** Tables by their names. */
export type PostgresTables = ReadonlyMap<string, PostgresTable>

/** Writes units inside the caller's transaction; of one that does not fit what stands it writes nothing. */
export async function writeBatch(
  on: Statements,
  batch: readonly UnitRows[],
  byName: PostgresTables,
): Promise<readonly WriteOutcome[]> {
  lockForUnits(
    on,
    batch.flatMap((rows) => locksOf(rows, byName)),
  )
  const scopes = await lockScopes(on, batch)
  const writes = writing(on)
  const outcomes: WriteOutcome[] = []
  for (const rows of batch) outcomes.push(await writeUnit(on, { rows, scopes, writes, byName }))
  writes.texts.flush()
  return outcomes
}

function locksOf({ scope, nowMs, writes }: UnitRows, byName: PostgresTables): readonly string[] {
  return writes.flatMap(([table, row]) => byName.get(table)?.locks?.(row, { scope, nowMs }) ?? [])
}

interface UnitWriting {
  readonly rows: UnitRows
  readonly scopes: ScopeRows
  readonly writes: Writing
  readonly byName: PostgresTables
}

async function writeUnit(on: Statements, { rows, scopes, writes, byName }: UnitWriting): Promise<WriteOutcome> {
  const { scope, nowMs } = rows
  for (const [table, row] of rows.writes) {
    const asked = byName.get(table)?.allows?.(writes.on, row, { scope, nowMs })
    if (asked && !(await asked)) return { kind: 'conflict' }
  }
  const outcome = await scopes.open(rows)
  if (outcome.kind !== 'done') return outcome
  const sessionId = outcome.base?.id ?? 0
  for (const fragment of rows.fragments) putFragment(on, { sessionId, texts: writes.texts, fragment })
  for (const [name, row] of rows.writes) {
    const table = byName.get(name)
    if (!table) throw new Error(`there is no table ${name}`)
    await table.apply?.(writes.on, row, { scope, nowMs, sessionId })
  }
  return outcome
}
