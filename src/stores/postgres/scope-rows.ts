import { scopeKey } from '../kernel/scope-key.ts'
import type { Scope } from '../kernel/scope.ts'
import type { SessionBase, UnitRows, WriteOutcome } from '../rows/unit-rows.ts'
import type { Statements } from './connection.ts'
import { nextNumbers } from './fragments.ts'

/** The rows of lanes of sessions, locked until the transaction ends. */
export interface ScopeRows {
  /** As `open` of the scopes in SQLite. */
  open(rows: UnitRows): Promise<WriteOutcome>
}

export async function lockScopes(on: Statements, batch: readonly UnitRows[]): Promise<ScopeRows> {
  const standing = new Map<string, SessionBase>()
  const find = async (scopes: readonly Scope[]): Promise<void> => {
    const { rows } = await on.ask(
      `SELECT id, tenant, name, lane, version, used_ms FROM sessions WHERE (tenant, name, lane) IN
         (SELECT * FROM unnest($1::text[], $2::text[], $3::text[])) ORDER BY tenant, name, lane FOR UPDATE`,
      [scopes.map(({ tenant }) => tenant), scopes.map(({ session }) => session), scopes.map(({ lane = '' }) => lane)],
    )
    for (const row of rows) {
      const scope = { tenant: String(row['tenant']), session: String(row['name']), lane: String(row['lane']) }
      const base = { id: Number(row['id']), version: Number(row['version']), usedMs: Number(row['used_ms']) }
      standing.set(scopeKey(scope), base)
    }
  }
  const set = (scope: Scope, base: SessionBase): WriteOutcome => {
    standing.set(scopeKey(scope), base)
    return { kind: 'done', base }
  }
  const stale = async (found: SessionBase): Promise<WriteOutcome> => ({
    kind: 'stale',
    facts: { ...found, next: await nextNumbers(on, found.id) },
  })

  /** Another process may have made it since. */
  const make = async (scope: Scope, usedMs: number): Promise<WriteOutcome> => {
    const { tenant, session, lane = '' } = scope
    const { rows } = await on.ask(
      `INSERT INTO sessions (tenant, name, lane, version, used_ms) VALUES ($1, $2, $3, 1, $4)
       ON CONFLICT DO NOTHING RETURNING id`,
      [tenant, session, lane, usedMs],
    )
    if (rows[0]) return set(scope, { id: Number(rows[0]['id']), version: 1, usedMs })
    await find([scope])
    const found = standing.get(scopeKey(scope))
    return found ? stale(found) : { kind: 'stale' }
  }

  const raise = (scope: Scope, { id, version }: SessionBase, usedMs: number): WriteOutcome => {
    void on.ask('UPDATE sessions SET version = version + 1, used_ms = $2 WHERE id = $1', [id, usedMs])
    return set(scope, { id, version: version + 1, usedMs })
  }

  const scopes = batch.filter((rows) => rows.changesSession || rows.expectVersion !== undefined)
  if (scopes.length > 0) await find(scopes.map(({ scope }) => scope))
  return {
    async open({ scope, nowMs, expectVersion, base, changesSession }) {
      const found = standing.get(scopeKey(scope))
      const version = found?.version ?? 0
      if ((expectVersion ?? version) !== version) return { kind: 'conflict' }
      if (!changesSession) return { kind: 'done' }
      if (found && base && isSame(found, base)) return raise(scope, found, nowMs)
      if (found) return stale(found)
      return base ? { kind: 'stale' } : make(scope, nowMs)
    },
  }
}

function isSame(one: SessionBase, other: SessionBase): boolean {
  return one.id === other.id && one.version === other.version && one.usedMs === other.usedMs
}
