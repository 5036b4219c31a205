import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { sha256 } from '../../host/index.ts'
import type { TextRows } from '../kernel/table.ts'

export interface TextTable extends TextRows {
  /** Removes a session's texts, where no other session uses them. */
  release(sessionId: number): void
}

export function textTable(db: DatabaseSync): TextTable {
  const find = db.prepare('SELECT id FROM texts WHERE hash = ?')
  const insert = db.prepare('INSERT INTO texts (hash, text) VALUES (?, ?)')
  const use = db.prepare('INSERT OR IGNORE INTO session_texts (session_id, text_id) VALUES (?, ?)')
  const select = db.prepare('SELECT hash, text FROM texts WHERE hash = ?')
  const selectById = db.prepare('SELECT hash, text FROM texts WHERE id = ?')
  const used = db.prepare('SELECT text_id FROM session_texts WHERE session_id = ?')
  const forget = db.prepare('DELETE FROM session_texts WHERE session_id = ?')
  const drop = db.prepare(
    'DELETE FROM texts WHERE id = ? AND NOT EXISTS (SELECT 1 FROM session_texts WHERE text_id = id)',
  )

  return {
    put(sessionId, text) {
      const key = digest(text)
      const id = Number(find.get(key)?.['id'] ?? insert.run(key, escaped(text)).lastInsertRowid)
      use.run(sessionId, id)
      return { id, hash: key }
    },
    get: (key) => restored(select.get(key)),
    byId: (id) => restored(selectById.get(id)),
    release(sessionId) {
      const rows = used.all(sessionId)
      forget.run(sessionId)
      for (const row of rows) drop.run(Number(row['text_id']))
    },
  }
}

/** Marks the hash of a text that a column does not carry: lone surrogates are no UTF-8, and Node 22 reads up to the first NUL. Such a text is stored as JSON. */
const jsonMark = 'json:'

function isPlain(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function digest(text: string): string {
  return isPlain(text) ? sha256(text, 'base64url') : jsonMark + sha256(JSON.stringify(text), 'base64url')
}

function escaped(text: string): string {
  return isPlain(text) ? text : JSON.stringify(text)
}

function restored(row: Record<string, SQLOutputValue> | undefined): string {
  if (!row) throw new Error('a text that is referred to is not there')
  const text = String(row['text'])
  return String(row['hash']).startsWith(jsonMark) ? (JSON.parse(text) as string) : text
}
