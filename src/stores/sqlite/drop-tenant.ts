import type { DatabaseSync } from 'node:sqlite'
import { addedPruned } from '../kernel/retention.ts'
import type { Pruned } from '../kernel/retention.ts'
import { dropRows, unusedPolicies } from '../rows/relation-sql.ts'
import { closedTables, dropClosed } from '../rows/closed-tables.ts'
import type { ClosedTable } from '../rows/closed-tables.ts'
import type { CorePruneStep } from '../rows/store-core.ts'
import type { OpenTables } from './open-tables.ts'
import { sessionDropper, sessionsAtOnce } from './prune.ts'

/** Rows removed in one transaction. */
const rowsAtOnce = 500

/** Removes a little of what is kept of a tenant; call it until there is no more. */
export function tenantDropper(db: DatabaseSync, tables: OpenTables): (tenant: string) => CorePruneStep {
  const sessionsOf = db.prepare('SELECT id FROM sessions WHERE tenant = ? LIMIT ?')
  const dropSession = sessionDropper(db, tables)
  const drops = dropRows('sqlite', tables.set.relations).map((one) => ({ ...one, statement: db.prepare(one.sql) }))
  const rest = [
    'DELETE FROM results WHERE NOT EXISTS (SELECT 1 FROM receipts WHERE receipts.sequence = results.sequence)',
    ...tables.set.relations.filter(({ of }) => of === 'policy').map((relation) => unusedPolicies(relation, 'sqlite')),
    // The index of words keeps those of documents that have gone until its parts are merged.
    "INSERT INTO document_terms (document_terms) VALUES ('optimize')",
  ].map((sql) => db.prepare(sql))

  return (tenant) => {
    const sessions = sessionsOf.all(tenant, sessionsAtOnce).map((row) => Number(row['id']))
    if (sessions.length > 0) return { pruned: sessions.map(dropSession).reduce(addedPruned, {}), more: true }
    let pruned: Pruned = {}
    let more = false
    for (const { name, statement, valueOf } of drops) {
      const rows = Number(statement.run(valueOf(tenant), rowsAtOnce).changes)
      pruned = addedPruned(pruned, { [name]: rows })
      more ||= rows === rowsAtOnce
    }
    if (!more) {
      for (const table of closedTables(tablesIn(db), tables.set, 'sqlite'))
        for (const sql of dropClosed(table)) db.prepare(sql).run(tenant)
      for (const statement of rest) statement.run()
    }
    return { pruned, more }
  }
}

function tablesIn(db: DatabaseSync): readonly ClosedTable[] {
  const found = db
    .prepare(
      `SELECT kept.name AS name, json_group_array(columns.name) AS columns FROM sqlite_master AS kept
       JOIN pragma_table_info(kept.name) AS columns WHERE kept.type = 'table' GROUP BY kept.name`,
    )
    .all()
  return found.map((row) => ({
    name: String(row['name']),
    columns: JSON.parse(String(row['columns'])) as readonly string[],
  }))
}
