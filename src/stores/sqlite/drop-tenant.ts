import type { DatabaseSync } from 'node:sqlite'
import { addedPruned } from '../kernel/retention.ts'
import type { Pruned } from '../kernel/retention.ts'
import { allRelations } from '../rows/kernel-relations.ts'
import { dropRows, unusedPolicies } from '../rows/relation-sql.ts'
import type { CorePruneStep } from '../rows/store-core.ts'
import type { OpenTables } from './open-tables.ts'
import { sessionDropper, sessionsAtOnce } from './prune.ts'

/** Rows removed in one transaction. */
const rowsAtOnce = 500

/** Removes a little of what is kept of a tenant; call it until there is no more. */
export function tenantDropper(db: DatabaseSync, tables: OpenTables): (tenant: string) => CorePruneStep {
  const sessionsOf = db.prepare('SELECT id FROM sessions WHERE tenant = ? LIMIT ?')
  const dropSession = sessionDropper(db, tables)
  const drops = dropRows('sqlite').map((one) => ({ ...one, statement: db.prepare(one.sql) }))
  const rest = [
    'DELETE FROM results WHERE NOT EXISTS (SELECT 1 FROM receipts WHERE receipts.sequence = results.sequence)',
    ...allRelations.filter(({ of }) => of === 'policy').map((relation) => unusedPolicies(relation, 'sqlite')),
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
    if (!more) for (const statement of rest) statement.run()
    return { pruned, more }
  }
}
