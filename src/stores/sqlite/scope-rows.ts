import type { DatabaseSync } from 'node:sqlite'
import type { Scope } from '../kernel/scope.ts'
import type { SessionBase, UnitRows, WriteOutcome } from '../rows/unit-rows.ts'
import type { FragmentTable } from './fragments.ts'

/** The rows of lanes of sessions: their versions, and when they were last used. */
export interface ScopeRows {
  /**
   * The lane of a unit, made if need be, its row marked as used, where the unit changes it. Where it is not what the unit was made
   * upon, nothing is written: `conflict` if it has another version than the unit expects, else `stale`.
   */
  open(rows: UnitRows): WriteOutcome
}

export function scopeRows(db: DatabaseSync, fragments: Pick<FragmentTable, 'next'>): ScopeRows {
  const select = db.prepare('SELECT id, version, used_ms FROM sessions WHERE tenant = ? AND name = ? AND lane = ?')
  const create = db.prepare('INSERT INTO sessions (tenant, name, lane, version, used_ms) VALUES (?, ?, ?, 1, ?)')
  // A number may have been another session's, which is gone.
  const update = db.prepare(
    `UPDATE sessions SET version = version + 1, used_ms = ?
     WHERE id = ? AND version = ? AND used_ms = ? AND tenant = ? AND name = ? AND lane = ?`,
  )

  const touch = ({ tenant, session, lane = '' }: Scope, { id, version, usedMs }: SessionBase, nowMs: number): boolean =>
    update.run(nowMs, id, version, usedMs, tenant, session, lane).changes === 1

  const find = ({ tenant, session, lane = '' }: Scope): SessionBase | undefined => {
    const row = select.get(tenant, session, lane)
    return row && { id: Number(row['id']), version: Number(row['version']), usedMs: Number(row['used_ms']) }
  }

  const make = ({ tenant, session, lane = '' }: Scope, nowMs: number): SessionBase => {
    const id = Number(create.run(tenant, session, lane, nowMs).lastInsertRowid)
    return { id, version: 1, usedMs: nowMs }
  }

  return {
    open({ scope, nowMs: usedMs, expectVersion, base, changesSession }) {
      if (!changesSession) return expectVersion === undefined ? { kind: 'done' } : standsAt(find(scope), expectVersion)
      const isExpected = base && (expectVersion ?? base.version) === base.version
      if (isExpected && touch(scope, base, usedMs)) {
        return { kind: 'done', base: { id: base.id, version: base.version + 1, usedMs } }
      }
      const found = find(scope)
      const version = found?.version ?? 0
      if ((expectVersion ?? version) !== version) return { kind: 'conflict' }
      if (found) return { kind: 'stale', facts: { ...found, next: fragments.next(found.id) } }
      return base ? { kind: 'stale' } : { kind: 'done', base: make(scope, usedMs) }
    },
  }
}

/** Of a unit that does not change its session. */
function standsAt(found: SessionBase | undefined, expectVersion: number): WriteOutcome {
  return (found?.version ?? 0) === expectVersion ? { kind: 'done' } : { kind: 'conflict' }
}
