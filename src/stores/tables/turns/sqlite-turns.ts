import type { SQLInputValue } from 'node:sqlite'
import type { Scope } from '../../kernel/scope.ts'
import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { Collection, FoundDocument, SqliteRows } from '../../kernel/table.ts'
import { documentKinds } from '../document-kinds.ts'
import { listKinds } from '../list-kinds.ts'
import { isSearched } from '../originals/searched-originals.ts'
import { mostSearched } from './turn.ts'
import type { FoundInTenant, TurnItem, TurnTypes } from './turn.ts'
import { turnHeadIn, withoutSession } from './turn-rows.ts'
import type { StoredTurnItem } from './turn-rows.ts'

/** Items of turns that are indexed in one transaction, and characters of them. */
const itemsAtOnce = 64
const charsAtOnce = 200_000

export function sqliteTurns(kernel: SqliteKernel): SqliteRows<TurnTypes> {
  const { db, search } = kernel
  const put = db.prepare(
    `INSERT INTO turns (session_id, turn, request_id, created_ms, first_item, items)
     VALUES (?, (SELECT ifnull(max(turn), 0) + 1 FROM turns WHERE session_id = ?), ?, ?, ?, ?)`,
  )
  const list = db.prepare(
    `SELECT session_id, lane, turn, request_id, created_ms, first_item, items FROM turns JOIN sessions ON id = session_id
     WHERE tenant = ? AND name = ? AND (? IS NULL OR lane = ?) AND turn BETWEEN ? AND ? ORDER BY session_id, turn LIMIT ?`,
  )
  const turnOf = db.prepare(
    `SELECT session_id, name, lane, turn, request_id, created_ms FROM turns JOIN sessions ON id = session_id
     WHERE session_id = ? AND first_item <= ? AND first_item + items > ?`,
  )
  const has = db.prepare(
    'SELECT 1 FROM turns JOIN sessions ON id = session_id WHERE tenant = ? AND name = ? AND request_id = ? LIMIT 1',
  )
  const lanes = db.prepare('SELECT id FROM sessions WHERE tenant = ? AND name = ?')
  const newest = db.prepare(`SELECT id FROM sessions WHERE tenant = ? ORDER BY used_ms DESC LIMIT ${mostSearched}`)
  const drop = db.prepare('DELETE FROM turns WHERE session_id = ?')

  const itemsOf = itemReader(kernel)

  const collectionsOf = ({ tenant, session }: Scope): readonly Collection[] =>
    lanes.all(tenant, session).map(collectionIn)
  const newestOf = (tenant: string): readonly Collection[] => newest.all(tenant).map(collectionIn)

  const indexSome = indexer(kernel, itemsOf)

  const foundItem = ({ sessionId, number }: FoundDocument): readonly FoundInTenant[] => {
    const row = turnOf.get(sessionId, number, number)
    const [item] = itemsOf(sessionId, number, 1)
    return row && item ? [{ session: String(row['name']), ...turnHeadIn(row), item }] : []
  }

  return {
    apply: ([requestId, first, count], { sessionId, nowMs }) =>
      void put.run(sessionId, sessionId, String(requestId), nowMs, Number(first), Number(count)),
    prepare: {
      search: (scope) => collectionsOf(scope).some(indexSome),
      searchTenant: (tenant) => newestOf(tenant).some(indexSome),
    },
    reads: {
      list(tenant, session, { lane, from = 1, to = Number.MAX_SAFE_INTEGER, limit }) {
        const values: SQLInputValue[] = [tenant, session, lane ?? null, lane ?? null, from, to, limit]
        return list.all(...values).map((row) => ({
          ...turnHeadIn(row),
          items: itemsOf(Number(row['session_id']), Number(row['first_item']), Number(row['items'])),
        }))
      },
      has: (tenant, session, requestId) => has.get(tenant, session, requestId) !== undefined,
      search: (scope, words, limit) =>
        search.find(collectionsOf(scope), words, limit).flatMap(foundItem).map(withoutSession),
      searchTenant: (tenant, words, limit) => search.find(newestOf(tenant), words, limit).flatMap(foundItem),
    },
    dropSession(sessionId) {
      drop.run(sessionId)
      return 0
    },
  }
}

function itemReader({ texts, fragments }: SqliteKernel): ItemsOf {
  return (sessionId, first, count) =>
    fragments.read<StoredTurnItem>(sessionId, listKinds.turn, [first, count]).map((stored) => {
      if ('text' in stored) return stored
      const { textHash, ...item } = stored
      return { ...item, text: texts.get(textHash) }
    })
}

function collectionIn(row: Readonly<Record<string, unknown>>): Collection {
  return { sessionId: Number(row['id']), kind: documentKinds.turnItem }
}

type ItemsOf = (sessionId: number, first: number, count: number) => readonly TurnItem[]

/** Indexes a few of the items that a lane's log has and the index lacks; gives whether there may be more. */
function indexer({ db, search }: SqliteKernel, itemsOf: ItemsOf): (of: Collection) => boolean {
  const indexed = db.prepare(
    'SELECT ifnull(max(number), -1) + 1 AS next FROM documents WHERE session_id = ? AND kind = ?',
  )
  const last = db.prepare('SELECT ifnull(max(first_item + items), 0) AS next FROM turns WHERE session_id = ?')
  return (of) => {
    const next = Number(indexed.get(of.sessionId, of.kind)?.['next'])
    const missing = Number(last.get(of.sessionId)?.['next']) - next
    let chars = 0
    for (const [at, item] of itemsOf(of.sessionId, next, Math.min(missing, itemsAtOnce)).entries()) {
      if (chars > charsAtOnce) return true
      const text = isSearched(item) ? `${item.toolName ?? ''}\n${item.text}` : ''
      search.add(of, next + at, text)
      chars += text.length
    }
    return missing > itemsAtOnce
  }
}
