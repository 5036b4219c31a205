import type { DocumentChange, HeldStamps, PassageRows, ReadCollection } from '../passages/passage-rows.ts'
import type { CollectionRef, StoredPassage } from '../passages/passages.ts'
import type { Statements } from './connection.ts'
import type { Connections } from './connections.ts'
import type { KeptVectors } from './passage-tables.ts'
import { nearestByPgvector } from './nearest-by-pgvector.ts'
import { retried } from './retried.ts'
import { snapshot } from './transaction.ts'
import { vectorColumn } from './vector-columns.ts'
import type { VectorColumn } from './vector-columns.ts'

const below = 'WHERE tenant = $1 AND collection = $2'
const tables = ['passages__collections', 'passages__documents', 'passages__texts'] as const

/** Passages in the tables of a schema that is open. */
export function postgresPassageRows(opened: Connections, kept: KeptVectors): PassageRows {
  const change = retried(opened)
  const column = vectorColumn(kept)
  const removed = (where: string, values: readonly string[]): Promise<void> =>
    change(async ({ ask }) => {
      for (const table of tables) await ask(`DELETE FROM ${table} ${where}`, values)
    })
  return {
    put: (at, document) => change((on) => putDocument(on, at, { change: document, column })),
    drop: ({ tenant, collection }) => removed(below, [tenant, collection]),
    dropTenant: (tenant) => removed('WHERE tenant = $1', [tenant]),
    read: (at, held) => opened.transaction(snapshot, (on) => readCollection(on, at, { held, column })),
    ...(kept.kind === 'pgvector' && {
      nearest: (at, query) => opened.transaction(snapshot, (on) => nearestByPgvector(on, at, { query, column, kept })),
    }),
    close: () => opened.close(),
  }
}

interface Putting {
  readonly change: DocumentChange
  readonly column: VectorColumn
}

async function putDocument({ ask }: Statements, at: CollectionRef, { change, column }: Putting): Promise<void> {
  const { document, passages, stamp, check } = change
  const key = [at.tenant, at.collection]
  // Holds the row until the transaction ends: changes of a collection wait for each other.
  await ask(
    `INSERT INTO passages__collections (tenant, collection, stamp) VALUES ($1, $2, $3)
     ON CONFLICT (tenant, collection) DO UPDATE SET stamp = excluded.stamp`,
    [...key, stamp],
  )
  const { rows } = await ask(
    `SELECT ${column.dimensions} AS dimensions FROM passages__texts
     ${below} AND document <> $3 AND vector IS NOT NULL LIMIT 1`,
    [...key, document],
  )
  check(rows[0] && Number(rows[0]['dimensions']))
  for (const table of ['passages__documents', 'passages__texts'])
    void ask(`DELETE FROM ${table} ${below} AND document = $3`, [...key, document])
  if (passages.length === 0) return
  void ask('INSERT INTO passages__documents (tenant, collection, document, stamp) VALUES ($1, $2, $3, $4)', [
    ...key,
    document,
    stamp,
  ])
  void ask(
    `INSERT INTO passages__texts (tenant, collection, document, id, text, vector)
     SELECT $1, $2, $3, id, text, ${column.ofText('vector')}
     FROM unnest($4::text[], $5::text[], $6::text[]) AS given (id, text, vector)`,
    [
      ...key,
      document,
      passages.map(({ id }) => id),
      passages.map(({ text }) => text),
      passages.map(({ vector }) => (vector ? column.written(vector) : null)),
    ],
  )
}

interface Reading {
  readonly held: HeldStamps | undefined
  readonly column: VectorColumn
}

async function readCollection(
  { ask }: Statements,
  { tenant, collection }: CollectionRef,
  { held, column }: Reading,
): Promise<ReadCollection | 'unchanged' | undefined> {
  const key = [tenant, collection]
  const found = await ask(`SELECT stamp FROM passages__collections ${below}`, key)
  const stamp = found.rows[0]?.['stamp']
  if (stamp === undefined) return undefined
  if (stamp === held?.stamp) return 'unchanged'
  const stamps = new Map<string, string>()
  for (const row of (await ask(`SELECT document, stamp FROM passages__documents ${below}`, key)).rows)
    stamps.set(String(row['document']), String(row['stamp']))
  const changed = Array.from(stamps.keys()).filter((name) => held?.documents.get(name) !== stamps.get(name))
  const passages = new Map<string, StoredPassage[]>(changed.map((name) => [name, []]))
  const texts = await ask(
    `SELECT document, id, text, ${column.shown} AS vector FROM passages__texts ${below} AND document = ANY($3::text[])`,
    [...key, changed],
  )
  for (const row of texts.rows) {
    const vector = column.read(row['vector'])
    const passage = { id: String(row['id']), text: String(row['text']), ...(vector && { vector }) }
    passages.get(String(row['document']))?.push(passage)
  }
  const documents = Array.from(stamps, ([name, own]) => {
    const read = passages.get(name)
    return [name, { stamp: own, ...(read && { passages: read }) }] as const
  })
  return { stamp: String(stamp), documents: new Map(documents) }
}
