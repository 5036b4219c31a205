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
}
