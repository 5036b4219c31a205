import type { DatabaseSync } from 'node:sqlite'
import type { UnitRows, WriteOutcome } from '../rows/unit-rows.ts'
import type { OpenTables } from './open-tables.ts'
import { scopeRows } from './scope-rows.ts'

/** Writes a unit inside the caller's transaction; writes nothing where it does not fit the session that stands. */
export type WriteUnit = (rows: UnitRows) => WriteOutcome

export function unitWriter(db: DatabaseSync, { fragments, byName }: OpenTables): WriteUnit {
  const scopes = scopeRows(db, fragments)

  const isAllowed = ({ scope, nowMs, writes }: UnitRows): boolean =>
    writes.every(([table, row]) => byName.get(table)?.allows?.(row, { scope, nowMs }) ?? true)

  return (rows) => {
    if (!isAllowed(rows)) return { kind: 'conflict' }
    const outcome = scopes.open(rows)
    if (outcome.kind !== 'done') return outcome
    const { scope, nowMs } = rows
    const sessionId = outcome.base?.id ?? 0
    for (const fragment of rows.fragments) fragments.put(sessionId, fragment)
    for (const [name, row] of rows.writes) {
      const table = byName.get(name)
      if (!table) throw new Error(`there is no table ${name}`)
      table.apply(row, { scope, nowMs, sessionId })
    }
    return outcome
  }
}
