import type { PostgresReader, PostgresRow, PostgresWriter } from '../../kernel/table.ts'
import type { Scope } from '../../kernel/scope.ts'
import { documentKinds } from '../document-kinds.ts'
import type { Original, OriginalSearch } from './original.ts'
import { isSearched, searchedText, withinChars } from './searched-originals.ts'

type OriginalsIn = (on: PostgresReader, rows: readonly PostgresRow[]) => Promise<readonly Original[]>

interface Indexed {
  readonly scope: Scope
  readonly originalsIn: OriginalsIn
}

/** Texts that are indexed in one transaction. */
const textsAtOnce = 32
/** Documents that a search looks at. */
const mostFound = 100

const ofSession = 'session_id IN (SELECT id FROM sessions WHERE tenant = $1 AND name = $2)'

/** Indexes a few of the session's texts that are not indexed yet; gives whether there may be more. */
export async function indexOriginals(
  on: PostgresWriter,
  { scope: { tenant, session }, originalsIn }: Indexed,
): Promise<boolean> {
  const rows = await on.all(
    `SELECT id, session_id, handle, about, text_hash FROM handles WHERE ${ofSession} AND NOT EXISTS
       (SELECT 1 FROM documents WHERE documents.session_id = handles.session_id AND kind = $3 AND number = id) LIMIT $4`,
    tenant,
    session,
    documentKinds.original,
    textsAtOnce,
  )
  const originals = await originalsIn(on, rows)
  for (const [at, row] of rows.entries()) {
    const original = originals[at]
    const text = original && isSearched(original) ? searchedText(original) : ''
    const of = { sessionId: Number(row['session_id']), kind: documentKinds.original, number: Number(row['id']) }
    on.addDocument(of, text)
  }
  return rows.length === textsAtOnce
}

interface Searched extends Indexed {
  readonly words: string
  readonly search: OriginalSearch
}

export async function searchOriginals(
  on: PostgresReader,
  { scope: { tenant, session }, words, search, originalsIn }: Searched,
): Promise<readonly Original[]> {
  const lanes = await on.all('SELECT id FROM sessions WHERE tenant = $1 AND name = $2', tenant, session)
  const of = { sessionIds: lanes.map((row) => Number(row['id'])), kind: documentKinds.original }
  const found = await on.find(of, words, mostFound)
  const rows = await on.all(
    `SELECT handle, about, text_hash FROM unnest($1::bigint[]) WITH ORDINALITY AS found (id, place)
     JOIN handles USING (id) ORDER BY place`,
    found.map(({ number }) => number),
  )
  return withinChars(await originalsIn(on, rows), search.maxChars)
}
