import type { DatabaseSync } from 'node:sqlite'
import type { CommitRows, SessionBase, SessionChange, WriteOutcome } from './commit-rows.ts'
import type { FragmentTable } from './fragments.ts'

export interface SessionTable {
  /**
   * The session of a commit, made if need be, its row marked as used. Where it is not what the commit was made upon, nothing
   * is written: `conflict` if it has another version than the commit expects, else `stale`.
   */
  open(rows: CommitRows, change: SessionChange): WriteOutcome
}

export function sessionRows(db: DatabaseSync, fragments: FragmentTable): SessionTable {
  const select = db.prepare('SELECT id, version, used_ms FROM sessions WHERE tenant = ? AND name = ? AND lane = ?')
  const create = db.prepare(
    'INSERT INTO sessions (tenant, name, lane, version, used_ms, offered_tools) VALUES (?, ?, ?, 1, ?, ?)',
  )
  // A number may have been another session's, which is gone.
  const update = db.prepare(
    `UPDATE sessions SET version = version + 1, used_ms = ?, offered_tools = coalesce(?, offered_tools)
     WHERE id = ? AND version = ? AND used_ms = ? AND tenant = ? AND name = ? AND lane = ?`,
  )

  const touch = ({ scope, nowMs }: CommitRows, base: SessionBase, offeredTools: string | undefined): boolean => {
    const { tenant, session, lane = '' } = scope
    const { id, version, usedMs } = base
    return update.run(nowMs, offeredTools ?? null, id, version, usedMs, tenant, session, lane).changes === 1
  }

  const find = ({ scope: { tenant, session, lane = '' } }: CommitRows): SessionBase | undefined => {
    const row = select.get(tenant, session, lane)
    return row && { id: Number(row['id']), version: Number(row['version']), usedMs: Number(row['used_ms']) }
  }

  const make = ({ scope, nowMs }: CommitRows, offeredTools = '[]'): SessionBase => {
    const { tenant, session, lane = '' } = scope
    const id = Number(create.run(tenant, session, lane, nowMs, offeredTools).lastInsertRowid)
    return { id, version: 1, usedMs: nowMs }
  }

  return {
    open(rows, { base, offeredTools }) {
      const { nowMs: usedMs, expectVersion } = rows
      const isExpected = base && (expectVersion ?? base.version) === base.version
      if (isExpected && touch(rows, base, offeredTools)) {
        return { kind: 'done', base: { id: base.id, version: base.version + 1, usedMs } }
      }
      const found = find(rows)
      const version = found?.version ?? 0
      if ((expectVersion ?? version) !== version) return { kind: 'conflict' }
      if (found) return { kind: 'stale', facts: { ...found, next: fragments.next(found.id) } }
      return base ? { kind: 'stale' } : { kind: 'done', base: make(rows, offeredTools) }
    },
  }
}
