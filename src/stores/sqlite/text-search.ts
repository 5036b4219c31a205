import type { DatabaseSync } from 'node:sqlite'
import { termsOf } from '../../knowledge/index.ts'
import type { Collection, TextSearch } from '../kernel/table.ts'

export interface SessionTextSearch extends TextSearch {
  /** Removes all documents of a session. */
  drop(sessionId: number): void
}

export function textSearch(db: DatabaseSync): SessionTextSearch {
  const known = db.prepare('SELECT 1 FROM documents WHERE session_id = ? AND kind = ? AND number = ?')
  const insert = db.prepare('INSERT INTO documents (session_id, kind, number) VALUES (?, ?, ?)')
  const insertTerms = db.prepare('INSERT INTO document_terms (rowid, place, terms) VALUES (?, ?, ?)')
  const find = db.prepare(
    `SELECT session_id, number FROM document_terms JOIN documents ON id = document_terms.rowid
     WHERE document_terms MATCH ? ORDER BY bm25(document_terms, 0, 1), id LIMIT ?`,
  )
  const dropTerms = db.prepare(
    'DELETE FROM document_terms WHERE rowid IN (SELECT id FROM documents WHERE session_id = ?)',
  )
  const drop = db.prepare('DELETE FROM documents WHERE session_id = ?')
  return {
    has: ({ sessionId, kind }, number) => known.get(sessionId, kind, number) !== undefined,
    add(of, number, text) {
      const id = insert.run(of.sessionId, of.kind, number).lastInsertRowid
      insertTerms.run(id, placeOf(of), termsOf(text).join(' '))
    },
    find(of, words, limit) {
      const terms = new Set(termsOf(words))
      if (of.length === 0 || terms.size === 0) return []
      const query = `{place} : (${anyOf(of.map(placeOf))}) AND {terms} : (${anyOf([...terms])})`
      return find
        .all(query, limit)
        .map((row) => ({ sessionId: Number(row['session_id']), number: Number(row['number']) }))
    },
    drop(sessionId) {
      dropTerms.run(sessionId)
      drop.run(sessionId)
    },
  }
}

/** A word of its own for each collection. */
function placeOf({ sessionId, kind }: Collection): string {
  return `s${sessionId}k${kind}`
}

/** Terms are letters and digits only. */
function anyOf(terms: readonly string[]): string {
  return terms.map((term) => `"${term}"`).join(' OR ')
}
