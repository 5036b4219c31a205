import type { PostgresReader, PostgresWriter } from '../kernel/table.ts'
import type { Statements } from './connection.ts'
import { readFragments } from './fragments.ts'
import { addDocument, findDocuments } from './text-search.ts'
import { readTexts, textWrites } from './texts.ts'
import type { TextWrites } from './texts.ts'

/** Begins one whose reads all come from one state of the database. */
export const snapshot = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** What a transaction offers the tables. */
export function reader(on: Statements): PostgresReader {
  return {
    all: async (sql, ...values) => (await on.ask(sql, values)).rows,
    texts: (hashes) => readTexts(on, hashes),
    fragments: (sessionId, wanted) => readFragments(on, sessionId, wanted),
    find: (of, words, limit) => findDocuments(on, { of, words, limit }),
  }
}

export interface Writing {
  readonly on: PostgresWriter
  readonly texts: TextWrites
}

export function writing(on: Statements): Writing {
  const texts = textWrites(on)
  return {
    texts,
    on: {
      ...reader(on),
      send: (sql, ...values) => void on.ask(sql, values),
      run: async (sql, ...values) => (await on.ask(sql, values)).count,
      putText: texts.put,
      addDocument: (of, text) => addDocument(on, of, text),
    },
  }
}
