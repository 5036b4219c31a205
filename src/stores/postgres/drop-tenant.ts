import { addedPruned } from '../kernel/retention.ts'
import type { Pruned } from '../kernel/retention.ts'
import { allRelations } from '../rows/kernel-relations.ts'
import { dropRows, unusedPolicies } from '../rows/relation-sql.ts'
import type { CorePruneStep } from '../rows/store-core.ts'
import type { Statements } from './connection.ts'
import { lockForPruning } from './locks.ts'
import { dropSessions, sessionsAtOnce } from './prune.ts'

/** Rows removed in one transaction. */
const rowsAtOnce = 500
const drops = dropRows('postgres')

/** Removes a little of what is kept of a tenant; call it until there is no more. */
export async function dropTenantStep(on: Statements, tenant: string): Promise<CorePruneStep> {
  lockForPruning(on)
  const { rows } = await on.ask('SELECT id FROM sessions WHERE tenant = $1 LIMIT $2', [tenant, sessionsAtOnce])
  const sessions = rows.map((row) => Number(row['id']))
  if (sessions.length > 0) return { pruned: await dropSessions(on, sessions), more: true }
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
  for (const relation of allRelations) if (relation.of === 'policy') await on.ask(unusedPolicies(relation, 'postgres'))
  return { pruned, more }
}
