import type { DatabaseSync } from 'node:sqlite'
import type { HiddenTurn } from '../core/index.ts'
import type { Commit, Original, Receipt, Scope } from './store.ts'
import { knownSize } from './fragments.ts'
import type { FragmentTable, KnownLists } from './fragments.ts'
import { writeInput, writeLedger, writeManifest } from './receipt-rows.ts'
import type { KnownRows } from './receipt-rows.ts'
import type { TextTable } from './texts.ts'

/** A session's row as this process last wrote it. */
interface OpenSession {
  readonly id: number
  version: number
  readonly known: KnownLists
  size: number
}

export interface SqliteWriter {
  /** Writes a commit inside the caller's transaction. */
  apply(commit: Commit): void
  /** Forgets what this process believes to stand in the database. */
  forget(): void
}

/** What is remembered about sessions, in characters, at most. */
const rememberedChars = 16_000_000

export function sqliteWriter(db: DatabaseSync, fragments: FragmentTable, texts: TextTable): SqliteWriter {
  const select = db.prepare('SELECT id, version FROM sessions WHERE tenant = ? AND name = ? AND lane = ?')
  const create = db.prepare(
    'INSERT INTO sessions (tenant, name, lane, version, used_ms, tool_offered) VALUES (?, ?, ?, 0, ?, 0)',
  )
  const touch = db.prepare(
    'UPDATE sessions SET version = version + 1, used_ms = ?, tool_offered = coalesce(?, tool_offered) WHERE id = ? AND version = ?',
  )
  const setLedger = db.prepare('UPDATE sessions SET ledger = ? WHERE id = ?')
  const putHidden = db.prepare(
    `INSERT INTO hidden_turns (session_id, ordinal, turn)
     VALUES (?, (SELECT coalesce(max(ordinal), 0) + 1 FROM hidden_turns WHERE session_id = ?), ?)`,
  )
  const putHandle = db.prepare(
    'INSERT OR IGNORE INTO handles (tenant, handle, session_id, text_id, about) VALUES (?, ?, ?, ?, ?)',
  )
  const putReceipt = db.prepare(
    `INSERT INTO receipts (tenant, session_id, request_id, pack_id, created_ms, head, manifest, input)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const setResult = db.prepare('UPDATE receipts SET result = ? WHERE tenant = ? AND request_id = ?')

  const remembered = new Map<string, OpenSession>()
  let rememberedSize = 0

  const load = ({ tenant, session, lane = '' }: Scope, nowMs: number): OpenSession => {
    const row = select.get(tenant, session, lane)
    if (row) return { id: Number(row['id']), version: Number(row['version']), known: new Map(), size: 0 }
    const id = Number(create.run(tenant, session, lane, nowMs).lastInsertRowid)
    return { id, version: 0, known: new Map(), size: 0 }
  }

  /** The session, its row marked as used; loaded anew when another process wrote to it. */
  const open = (commit: Commit): OpenSession => {
    const { tenant, session: name, lane = '' } = commit.scope
    const key = JSON.stringify([tenant, name, lane])
    const offered = commit.toolOffered === undefined ? null : Number(commit.toolOffered)
    for (;;) {
      const known = remembered.get(key)
      const session = known ?? load(commit.scope, commit.nowMs)
      remembered.delete(key)
      if (touch.run(commit.nowMs, offered, session.id, session.version).changes === 1) {
        session.version += 1
        remembered.set(key, session)
        return session
      }
      rememberedSize -= session.size
      if (!known) throw new Error('a session changed inside a transaction')
    }
  }

  const weigh = (session: OpenSession): void => {
    const size = knownSize(session.known)
    rememberedSize += size - session.size
    session.size = size
    for (const [key, oldest] of remembered) {
      if (rememberedSize <= rememberedChars || oldest === session) break
      remembered.delete(key)
      rememberedSize -= oldest.size
    }
  }

  const writeHidden = (session: OpenSession, turns: readonly HiddenTurn[]): void => {
    for (const turn of turns) putHidden.run(session.id, session.id, JSON.stringify(turn))
  }

  const writeOriginals = (session: OpenSession, tenant: string, originals: readonly Original[]): void => {
    for (const { handle, text, ...about } of originals) {
      putHandle.run(tenant, handle, session.id, texts.put(session.id, text), JSON.stringify(about))
    }
  }

  const writeReceipt = (rows: KnownRows, commit: Commit, receipt: NonNullable<Commit['receipt']>): void => {
    const { manifest, input, result: _result, requestId, packId, ...head } = receipt
    putReceipt.run(
      commit.scope.tenant,
      rows.sessionId,
      requestId,
      packId,
      commit.nowMs,
      JSON.stringify(receiptHead(head, manifest)),
      writeManifest(rows, manifest),
      input ? writeInput(rows, input) : null,
    )
  }

  const apply = (commit: Commit): void => {
    const session = open(commit)
    const rows = { sessionId: session.id, fragments, texts, known: session.known }
    // The receipt holds the ledger that went in, so it is written before the one that came out.
    if (commit.receipt) writeReceipt(rows, commit, commit.receipt)
    if (commit.ledger) setLedger.run(writeLedger(rows, commit.ledger), session.id)
    if (commit.hidden) writeHidden(session, commit.hidden)
    if (commit.originals) writeOriginals(session, commit.scope.tenant, commit.originals)
    if (commit.result) {
      setResult.run(JSON.stringify(commit.result.result), commit.scope.tenant, commit.result.requestId)
    }
    weigh(session)
  }

  const forget = (): void => {
    remembered.clear()
    rememberedSize = 0
  }

  return { apply, forget }
}

/** What lists need, beside the columns. */
function receiptHead(
  head: Pick<Receipt, 'dialect' | 'mode' | 'model'>,
  { outcome, epoch, originalTokens, packTokens }: Receipt['manifest'],
): object {
  return { ...head, outcome, ...(epoch && { epoch: epoch.epoch }), originalTokens, packTokens }
}
