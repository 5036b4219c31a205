import { addedPruned } from '../kernel/retention.ts'
import type { Pruned } from '../kernel/retention.ts'
import { unusedPolicies } from '../rows/relation-sql.ts'
import type { dropRows } from '../rows/relation-sql.ts'
import { closedTables, dropClosed } from '../rows/closed-tables.ts'
import type { ClosedTable } from '../rows/closed-tables.ts'
import type { CorePruneStep } from '../rows/store-core.ts'
import type { TableSet } from '../rows/table-set.ts'
import type { Statements } from './connection.ts'
import { lockForPruning } from './locks.ts'
import { dropSessions, sessionsAtOnce } from './prune.ts'

/** Rows removed in one transaction. */
const rowsAtOnce = 500

export interface DroppingTenant {
  readonly tenant: string
  readonly tables: TableSet
  readonly drops: ReturnType<typeof dropRows>
}

/** Removes a little of what is kept of a tenant; call it until there is no more. */
export async function dropTenantStep(
  on: Statements,
  { tenant, tables, drops }: DroppingTenant,
): Promise<CorePruneStep> {
  lockForPruning(on)
  const { rows } = await on.ask('SELECT id FROM sessions WHERE tenant = $1 LIMIT $2', [tenant, sessionsAtOnce])
  const sessions = rows.map((row) => Number(row['id']))
  if (sessions.length > 0) return { pruned: await dropSessions(on, sessions, tables), more: true }
  let pruned: Pruned = {}
  let more = false
  for (const { name, sql, valueOf } of drops) {
    const { count } = await on.ask(sql, [valueOf(tenant), rowsAtOnce])
    pruned = addedPruned(pruned, { [name]: count })
    more ||= count === rowsAtOnce
  }
  if (more) return { pruned, more }
  await on.ask(
    'DELETE FROM results WHERE NOT EXISTS (SELECT 1 FROM receipts WHERE receipts.sequence = results.sequence)',
  )
  for (const table of closedTables(await tablesIn(on), tables, 'postgres'))
    for (const sql of dropClosed(table)) await on.ask(sql.replace('?', '$1::text'), [tenant])
  for (const relation of tables.relations)
    if (relation.of === 'policy') await on.ask(unusedPolicies(relation, 'postgres'))
  return { pruned, more }
}

async function tablesIn({ ask }: Statements): Promise<readonly ClosedTable[]> {
  const { rows } = await ask(
    `SELECT table_name, json_agg(column_name)::text AS columns FROM information_schema.columns
     WHERE table_schema = current_schema() GROUP BY table_name`,
  )
  return rows.map((row) => ({
    name: String(row['table_name']),
    columns: JSON.parse(String(row['columns'])) as readonly string[],
  }))
}
