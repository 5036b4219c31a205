import { termsOf } from '../../knowledge/index.ts'
import type { FoundDocument, PostgresCollections, PostgresRow } from '../kernel/table.ts'
import type { Statements } from './connection.ts'

interface Document {
  readonly sessionId: number
  readonly kind: number
  readonly number: number
}

/** Indexes a document by how often it says each term. */
export function addDocument({ ask }: Statements, { sessionId, kind, number }: Document, text: string): void {
  const counts = new Map<string, number>()
  const terms = termsOf(text)
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  void ask(
    `INSERT INTO documents (session_id, kind, number, length, terms, counts) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT DO NOTHING`,
    [sessionId, kind, number, terms.length, [...counts.keys()], [...counts.values()]],
  )
}

/** BM25 over the documents of the sessions: `ts_rank` knows nothing of how rare a word is. */
export async function findDocuments(
  { ask }: Statements,
  { of: { sessionIds, kind }, words, limit }: SearchedDocuments,
): Promise<readonly FoundDocument[]> {
  const terms = [...new Set(termsOf(words))]
  if (sessionIds.length === 0 || terms.length === 0) return []
  const ofThese = 'kind = $1 AND session_id = ANY($2::bigint[])'
  const [{ rows: sums }, { rows }] = await Promise.all([
    ask(
      `SELECT count(*) AS documents, coalesce(sum(length), 0) AS length FROM documents WHERE ${ofThese} AND length > 0`,
      [kind, sessionIds],
    ),
    ask(
      `SELECT session_id, number, length, ARRAY(SELECT coalesce(counts[array_position(terms, term)], 0)
         FROM unnest($3::text[]) WITH ORDINALITY AS asked (term, place) ORDER BY place) AS counts
       FROM documents WHERE ${ofThese} AND terms && $3::text[] ORDER BY session_id, number`,
      [kind, sessionIds, terms],
    ),
  ])
  const documents = Number(sums[0]?.['documents'])
  const meanLength = Number(sums[0]?.['length']) / Math.max(1, documents)
  return ranked(rows, { documents, meanLength }).slice(0, limit)
}

export interface SearchedDocuments {
  readonly of: PostgresCollections
  readonly words: string
  readonly limit: number
}

const saturation = 1.2
const lengthShare = 0.75

function ranked(
  rows: readonly PostgresRow[],
  { documents, meanLength }: { readonly documents: number; readonly meanLength: number },
): readonly FoundDocument[] {
  const countsOf = rows.map((row) => row['counts'] as readonly number[])
  const rarities = (countsOf[0] ?? []).map((_, term) => {
    const having = countsOf.filter((counts) => (counts[term] ?? 0) > 0).length
    return Math.log(1 + (documents - having + 0.5) / (having + 0.5))
  })
  const scored = rows.map((row, at) => {
    const damp = saturation * (1 - lengthShare + (lengthShare * Number(row['length'])) / meanLength)
    const counts = countsOf[at] ?? []
    const score = rarities.reduce((sum, rarity, term) => {
      const count = counts[term] ?? 0
      return sum + (rarity * count * (saturation + 1)) / (count + damp)
    }, 0)
    return { score, sessionId: Number(row['session_id']), number: Number(row['number']) }
  })
  return scored.toSorted((a, b) => b.score - a.score).map(({ sessionId, number }) => ({ sessionId, number }))
}
