import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { TextRows } from '../kernel/table.ts'
import { isPlainText, jsonMark, textHash } from '../rows/text-hash.ts'

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
      const key = textHash(text)
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

export function escaped(text: string): string {
  return isPlainText(text) ? text : JSON.stringify(text)
}

export function restored(row: Record<string, SQLOutputValue> | undefined): string {
  if (!row) throw new Error('a text that is referred to is not there')
  const text = String(row['text'])
  return String(row['hash']).startsWith(jsonMark) ? (JSON.parse(text) as string) : text
}
