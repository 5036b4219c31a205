import type { Cell, Row, Table } from '../../kernel/table.ts'
import { memoryOriginals } from './memory-originals.ts'
import type { MemoryOriginals } from './memory-originals.ts'
import type { OriginalTypes, OriginalsWrite } from './original.ts'
import { postgresOriginals } from './postgres-originals.ts'
import { sqliteOriginals } from './sqlite-originals.ts'

/** What was left out of requests, by handle. */
export const originalsTable: Table<'originals', OriginalTypes, MemoryOriginals> = {
  name: 'originals',
  changesSession: true,
  reads: {
    get: ({ tenant, session, lane }) =>
      session === undefined ? undefined : { tenant, session, ...(lane !== undefined && { lane }) },
    all: ({ tenant, session }) => ({ tenant, session }),
    list: ({ tenant, session }) => ({ tenant, session }),
    search: ({ tenant, session }) => ({ tenant, session }),
  },
  encode: ({ originals }: OriginalsWrite): Row =>
    originals.flatMap(({ handle, text, ...about }): Cell[] => [handle, text, JSON.stringify(about)]),
  memory: memoryOriginals,
  sqlite: { open: sqliteOriginals },
  postgres: postgresOriginals,
  relations: [
    {
      name: 'handles',
      columns: ['session_id', 'handle', 'text_hash', 'about'],
      key: ['session_id', 'handle'],
      of: 'session',
      sqlite: {
        from: '(SELECT session_id, handle, hash AS text_hash, about FROM handles JOIN texts ON texts.id = text_id)',
        put: `INSERT INTO handles (tenant, handle, session_id, text_id, about)
          SELECT tenant, handle, sessions.id, texts.id, about
          FROM (SELECT ? AS session_id, ? AS handle, ? AS text_hash, ? AS about) AS given
          JOIN sessions ON sessions.id = given.session_id JOIN texts ON texts.hash = given.text_hash`,
      },
      postgres: {
        put: `INSERT INTO handles (tenant, handle, session_id, text_hash, about)
          SELECT tenant, $2, id, $3, $4 FROM sessions WHERE id = $1`,
      },
      textsOf: ([, , hash]) => [String(hash)],
    },
  ],
}
