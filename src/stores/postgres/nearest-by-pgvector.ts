import { checkDimensions } from '../passages/check-passages.ts'
import type { CollectionRef, PassageHit, PassageQuery } from '../passages/passages.ts'
import type { PostgresValue } from '../kernel/table.ts'
import type { Statements } from './connection.ts'
import type { KeptVectors } from './passage-tables.ts'
import type { VectorColumn } from './vector-columns.ts'

export interface NearestQuery {
  readonly query: PassageQuery & { readonly vector: Float32Array }
  readonly column: VectorColumn
  readonly kept: KeptVectors & { readonly kind: 'pgvector' }
}

/**
 * Compares the query with every vector of the collection, which the primary key finds. An HNSW index would be one for all tenants: it
 * looks for neighbours first and drops those of others afterwards, so that a small collection beside large ones loses hits. One for each
 * collection would have to be made while requests run, under a lock that stops all writes.
 */
export async function nearestByPgvector(
  { ask }: Statements,
  { tenant, collection }: CollectionRef,
  { query: { vector, most, documents }, column, kept }: NearestQuery,
): Promise<readonly PassageHit[]> {
  const within = `tenant = $1 AND collection = $2 AND vector IS NOT NULL AND ($3::text[] IS NULL OR document = ANY($3::text[]))`
  const values: readonly PostgresValue[] = [tenant, collection, documents ?? null]
  const one = await ask(
    `SELECT ${column.dimensions} AS dimensions FROM passages__texts WHERE ${within} LIMIT 1`,
    values,
  )
  if (one.rows[0] === undefined) return []
  checkDimensions(vector, Number(one.rows[0]['dimensions']))
  // In a query of its own, or the text would be read again for each row.
  const distance = `vector OPERATOR("${kept.extensionSchema}".<=>) (SELECT ${column.ofText('$4::text')})`
  // The distance to a vector that has no direction is NaN.
  const { rows } = await ask(
    `WITH best AS MATERIALIZED (
       SELECT document, id, COALESCE(NULLIF(1 - (${distance}), 'NaN'), 0) AS score FROM passages__texts WHERE ${within}
       ORDER BY score DESC, document, id LIMIT $5
     )
     SELECT document, id, text, score FROM best JOIN passages__texts USING (document, id)
     WHERE tenant = $1 AND collection = $2 ORDER BY score DESC, document, id`,
    [...values, column.written(vector), most],
  )
  return rows.map((row) => ({
    document: String(row['document']),
    id: String(row['id']),
    text: String(row['text']),
    score: Number(row['score']),
  }))
}
