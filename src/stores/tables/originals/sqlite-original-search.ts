import type { Scope } from '../../kernel/scope.ts'
import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { Collection, FoundDocument } from '../../kernel/table.ts'
import { documentKinds } from '../document-kinds.ts'
import type { Original, OriginalReads } from './original.ts'
import { isSearched, searchedText, withinChars } from './searched-originals.ts'

interface SqliteOriginalSearch extends Pick<OriginalReads, 'search'> {
  /** Indexes a few of the session's texts that are not indexed yet; gives whether there may be more. */
  prepare(scope: Scope): boolean
}

/** Texts, and characters of them, that are indexed in one transaction. */
const textsAtOnce = 32
const charsAtOnce = 200_000
/** Documents that a search looks at. */
const mostFound = 100

export function sqliteOriginalSearch(
  { db, texts, search }: SqliteKernel,
  aboutIn: (row: Readonly<Record<string, unknown>>) => Omit<Original, 'handle' | 'text'>,
): SqliteOriginalSearch {
  const lanes = db.prepare('SELECT id FROM sessions WHERE tenant = ? AND name = ?')
  const unindexed = db.prepare(
    `SELECT text_id, about FROM handles WHERE session_id = ? AND text_id NOT IN
       (SELECT number FROM documents WHERE session_id = ? AND kind = ${documentKinds.original}) LIMIT ?`,
  )
  const handleOf = db.prepare('SELECT handle, about FROM handles WHERE session_id = ? AND text_id = ? LIMIT 1')

  const collectionsOf = ({ tenant, session }: Scope): readonly Collection[] =>
    lanes.all(tenant, session).map((row) => ({ sessionId: Number(row['id']), kind: documentKinds.original }))

  const originalIn = ({ sessionId, number }: FoundDocument): readonly Original[] => {
    const row = handleOf.get(sessionId, number)
    return row ? [{ handle: String(row['handle']), text: texts.byId(number), ...aboutIn(row) }] : []
  }

  return {
    prepare(scope) {
      let [count, chars] = [0, 0]
      for (const of of collectionsOf(scope))
        for (const row of unindexed.all(of.sessionId, of.sessionId, textsAtOnce)) {
          if (count === textsAtOnce || chars >= charsAtOnce) return true
          const number = Number(row['text_id'])
          if (search.has(of, number)) continue
          const about = aboutIn(row)
          const text = isSearched(about) ? searchedText({ text: texts.byId(number), ...about }) : ''
          search.add(of, number, text)
          count += 1
          chars += text.length
        }
      return count === textsAtOnce
    },
    search: (scope, words, { maxChars }) =>
      withinChars(search.find(collectionsOf(scope), words, mostFound).values().flatMap(originalIn), maxChars),
  }
}
