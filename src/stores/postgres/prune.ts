import { addedPruned } from '../kernel/retention.ts'
import type { Pruned, Retention } from '../kernel/retention.ts'
import type { CorePruneStep } from '../rows/store-core.ts'
import type { TableSet } from '../rows/table-set.ts'
import type { Statements } from './connection.ts'
import { lockForPruning } from './locks.ts'
import { releaseTexts } from './texts.ts'
import { writing } from './transaction.ts'

/** Sessions removed in one transaction, so that requests get their turn in between. */
export const sessionsAtOnce = 20

export interface Pruning {
  readonly nowMs: number
  readonly retention: Retention
  readonly tables: TableSet
}

/** Removes a little of what has outlived its keep; call it until there is no more. */
export async function prune(on: Statements, { nowMs, retention, tables }: Pruning): Promise<CorePruneStep> {
  lockForPruning(on)
  const sessions = await idleSessions(on, nowMs, retention)
  let pruned = sessions.length > 0 ? await dropSessions(on, sessions, tables) : {}
  let more = sessions.length === sessionsAtOnce
  const { on: writer } = writing(on)
  for (const { name, postgres } of tables.all) {
    const step = await postgres.prune?.(writer, nowMs, retention)
    if (!step) continue
    pruned = addedPruned(pruned, { [name]: step.rows })
    more ||= step.more
  }
  return { pruned, more }
}

async function idleSessions(
  { ask }: Statements,
  nowMs: number,
  { sessionIdleMs, tenants = {} }: Retention,
): Promise<readonly number[]> {
  const found = [
    ask('SELECT id FROM sessions WHERE used_ms < $1 LIMIT $2', [nowMs - sessionIdleMs, sessionsAtOnce]),
    ...Object.entries(tenants).map(([tenant, kept]) =>
      ask('SELECT id FROM sessions WHERE tenant = $1 AND used_ms < $2 LIMIT $3', [
        tenant,
        nowMs - kept.sessionIdleMs,
        sessionsAtOnce,
      ]),
    ),
  ]
  const ids = (await Promise.all(found)).flatMap(({ rows }) => rows.map((row) => Number(row['id'])))
  return [...new Set(ids)].slice(0, sessionsAtOnce)
}

/** Removes lanes with all that belongs to them. */
export async function dropSessions(
  on: Statements,
  ids: readonly number[],
  tables: Pick<TableSet, 'all'>,
): Promise<Pruned> {
  const { on: writer } = writing(on)
  let pruned: Pruned = { sessions: ids.length }
  for (const { name, postgres } of tables.all)
    pruned = addedPruned(pruned, { [name]: (await postgres.dropSessions?.(writer, ids)) ?? 0 })
  for (const table of ['fragments', 'documents'])
    void on.ask(`DELETE FROM ${table} WHERE session_id = ANY($1::bigint[])`, [ids])
  await releaseTexts(on, ids)
  await on.ask('DELETE FROM sessions WHERE id = ANY($1::bigint[])', [ids])
  return pruned
}
