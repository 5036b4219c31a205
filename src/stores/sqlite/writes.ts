import type { DatabaseSync } from 'node:sqlite'
import { isResultOnly, takenHandle } from '../store.ts'
import type { Commit, Original, Receipt } from '../store.ts'
import { openSessions } from './open-sessions.ts'
import type { OpenSession } from './open-sessions.ts'
import { writeInput, writeLedger, writeManifest, writeOverlay, writeRequest } from './receipt-rows.ts'
import type { KnownRows, SessionRows } from './receipt-rows.ts'

/** What every row of a session is made of. */
export type SqliteTables = Omit<SessionRows, 'sessionId'>

export interface SqliteWriter {
  /** Writes a commit inside the caller's transaction. */
  apply(commit: Commit): void
  /** Forgets what this process believes to stand in the database. */
  forget(): void
}

export function sqliteWriter(db: DatabaseSync, tables: SqliteTables): SqliteWriter {
  const { texts, policies } = tables
  const sessions = openSessions(db)
  const setLedger = db.prepare('UPDATE sessions SET ledger = ? WHERE id = ?')
  const setOverlay = db.prepare('UPDATE sessions SET overlay = ? WHERE id = ?')
  const putHandle = db.prepare(
    'INSERT OR IGNORE INTO handles (tenant, handle, session_id, text_id, about) VALUES (?, ?, ?, ?, ?)',
  )
  const heldText = db.prepare('SELECT text_id FROM handles WHERE tenant = ? AND handle = ? AND session_id = ?')
  const putReceipt = db.prepare(
    `INSERT INTO receipts (tenant, session_id, request_id, pack_id, created_ms, head, manifest, input, request)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const putResult = db.prepare(
    `INSERT OR REPLACE INTO results (sequence, result)
     SELECT sequence, ? FROM receipts WHERE tenant = ? AND request_id = ?`,
  )

  const writeOriginals = (session: OpenSession, tenant: string, originals: readonly Original[]): void => {
    for (const { handle, text, ...about } of originals) {
      const textId = texts.put(session.id, text)
      if (putHandle.run(tenant, handle, session.id, textId, JSON.stringify(about)).changes === 1) continue
      if (heldText.get(tenant, handle, session.id)?.['text_id'] !== textId) throw new Error(takenHandle(handle))
    }
  }

  const writeReceipt = (rows: KnownRows, commit: Commit, receipt: NonNullable<Commit['receipt']>): void => {
    const { manifest, input, request, result: _result, requestId, packId, ...head } = receipt
    putReceipt.run(
      commit.scope.tenant,
      rows.sessionId,
      requestId,
      packId,
      commit.nowMs,
      JSON.stringify(receiptHead(head, manifest)),
      writeManifest(rows, manifest),
      input ? writeInput(rows, input) : null,
      request ? writeRequest(rows, request) : null,
    )
  }

  const apply = (commit: Commit): void => {
    if (commit.result) {
      putResult.run(JSON.stringify(commit.result.result), commit.scope.tenant, commit.result.requestId)
    }
    if (isResultOnly(commit)) return
    const session = sessions.open(commit)
    const rows = { ...tables, sessionId: session.id, known: session.known }
    // The receipt holds the ledger that went in, so it is written before the one that came out.
    if (commit.receipt) writeReceipt(rows, commit, commit.receipt)
    if (commit.ledger !== undefined) {
      setLedger.run(commit.ledger === null ? null : writeLedger(rows, commit.ledger), session.id)
    }
    if (commit.overlay) setOverlay.run(writeOverlay(rows, commit.overlay), session.id)
    if (commit.originals) writeOriginals(session, commit.scope.tenant, commit.originals)
    sessions.weigh(session)
  }

  const forget = (): void => {
    sessions.forget()
    policies.forget()
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
