import type { DatabaseSync } from 'node:sqlite'
import { movedOn } from '../store.ts'
import type { Commit, Scope } from '../store.ts'
import { knownSize, noLists } from './fragments.ts'
import type { KnownLists } from './fragments.ts'

/** A session's row as this process last wrote it. */
export interface OpenSession {
  readonly id: number
  version: number
  readonly known: KnownLists
  size: number
}

export interface OpenSessions {
  /**
   * The session of a commit, made if need be, its row marked as used. Loaded anew when another process wrote to it. Throws
   * `conflict` where it has another version than the commit expects.
   */
  open(commit: Commit): OpenSession
  /** To be called when lists of the session were written. */
  weigh(session: OpenSession): void
  /** Forgets what this process believes to stand in the database. */
  forget(): void
}

/** What is remembered about sessions at most: how many, and how much of all, in characters. */
const rememberedSessions = 1000
const rememberedChars = 64_000_000

export function openSessions(db: DatabaseSync): OpenSessions {
  const rows = sessionRows(db)
  const remembered = new Map<string, OpenSession>()
  let rememberedSize = 0

  const open = (commit: Commit): OpenSession => {
    const { tenant, session: name, lane = '' } = commit.scope
    const key = JSON.stringify([tenant, name, lane])
    const known = remembered.get(key)
    remembered.delete(key)
    if (known && rows.touch(known, commit)) {
      expect(commit, known.version - 1)
      remembered.set(key, known)
      return known
    }
    if (known) rememberedSize -= known.size
    const stored = rows.load(commit.scope)
    expect(commit, stored?.version ?? 0)
    if (stored && !rows.touch(stored, commit)) throw new Error('a session changed inside a transaction')
    const session = stored ?? rows.make(commit)
    remembered.set(key, session)
    return session
  }

  const weigh = (session: OpenSession): void => {
    const size = knownSize(session.known)
    rememberedSize += size - session.size
    session.size = size
    for (const [key, oldest] of remembered) {
      const fits = rememberedSize <= rememberedChars && remembered.size <= rememberedSessions
      if (fits || oldest === session) break
      remembered.delete(key)
      rememberedSize -= oldest.size
    }
  }

  const forget = (): void => {
    remembered.clear()
    rememberedSize = 0
  }

  return { open, weigh, forget }
}

interface SessionRows {
  load(scope: Scope): OpenSession | undefined
  make(commit: Commit): OpenSession
  /** Whether the row still is what this process believes it to be; then it is marked as used. */
  touch(session: OpenSession, commit: Commit): boolean
}

function sessionRows(db: DatabaseSync): SessionRows {
  const select = db.prepare('SELECT id, version FROM sessions WHERE tenant = ? AND name = ? AND lane = ?')
  const create = db.prepare(
    'INSERT INTO sessions (tenant, name, lane, version, used_ms, offered_tools) VALUES (?, ?, ?, 1, ?, ?)',
  )
  const update = db.prepare(
    `UPDATE sessions SET version = version + 1, used_ms = ?, offered_tools = coalesce(?, offered_tools)
     WHERE id = ? AND version = ?`,
  )
  return {
    load({ tenant, session, lane = '' }) {
      const row = select.get(tenant, session, lane)
      return row && { id: Number(row['id']), version: Number(row['version']), known: new Map(), size: 0 }
    },
    make({ scope, nowMs, offeredTools = [] }) {
      const { tenant, session, lane = '' } = scope
      const id = Number(create.run(tenant, session, lane, nowMs, JSON.stringify(offeredTools)).lastInsertRowid)
      return { id, version: 1, known: noLists(), size: 0 }
    },
    touch(session, { nowMs, offeredTools }) {
      const offered = offeredTools === undefined ? null : JSON.stringify(offeredTools)
      if (update.run(nowMs, offered, session.id, session.version).changes !== 1) return false
      session.version += 1
      return true
    },
  }
}

function expect({ scope, expectVersion }: Commit, version: number): void {
  if (expectVersion !== undefined && expectVersion !== version) throw movedOn(scope)
}
