import type { Scope } from '../../kernel/scope.ts'
import type { FoundDocument, PostgresReader, PostgresRow, PostgresTable, PostgresWriter } from '../../kernel/table.ts'
import { documentKinds } from '../document-kinds.ts'
import { listKinds } from '../list-kinds.ts'
import { isSearched } from '../originals/searched-originals.ts'
import { mostSearched } from './turn.ts'
import type { FoundInTenant, TurnItem, TurnTypes } from './turn.ts'
import { turnHeadIn, withoutSession } from './turn-rows.ts'
import type { StoredTurnItem } from './turn-rows.ts'

/** Items of turns that are indexed in one transaction. */
const itemsAtOnce = 64

const allTurns = 'turns JOIN sessions ON id = session_id'

export const postgresTurns: PostgresTable<TurnTypes> = {
  migrations: [
    `CREATE TABLE turns (session_id bigint NOT NULL, turn integer NOT NULL, request_id text COLLATE "C" NOT NULL,
      created_ms double precision NOT NULL, first_item integer NOT NULL, items integer NOT NULL, PRIMARY KEY (session_id, turn))`,
  ],
  apply(on, [requestId, first, count], { sessionId, nowMs }) {
    on.send(
      `INSERT INTO turns (session_id, turn, request_id, created_ms, first_item, items)
       SELECT $1, coalesce(max(turn), 0) + 1, $2, $3, $4, $5 FROM turns WHERE session_id = $1`,
      sessionId,
      requestId,
      nowMs,
      first,
      count,
    )
  },
  prepare: {
    search: async (on, scope) => indexTurns(on, await lanesOf(on, scope)),
    searchTenant: async (on, tenant) => indexTurns(on, await newestOf(on, tenant)),
  },
  reads: (on) => ({
    async list(tenant, session, { lane, from = 1, to = lastTurn, limit }) {
      const rows = await on.all(
        `SELECT session_id, lane, turn, request_id, created_ms, first_item, items FROM ${allTurns}
         WHERE tenant = $1 AND name = $2 AND ($3::text IS NULL OR lane = $3) AND turn BETWEEN $4 AND $5
         ORDER BY session_id, turn LIMIT $6`,
        tenant,
        session,
        lane,
        from,
        Math.min(to, lastTurn),
        limit,
      )
      return Promise.all(rows.map(async (row) => ({ ...turnHeadIn(row), items: await itemsOf(on, row) })))
    },
    async has(tenant, session, requestId) {
      const sql = `SELECT 1 FROM ${allTurns} WHERE tenant = $1 AND name = $2 AND request_id = $3 LIMIT 1`
      return (await on.all(sql, tenant, session, requestId)).length > 0
    },
    async search(scope, words, limit) {
      const found = await foundIn(on, await lanesOf(on, scope), { words, limit })
      return found.map(withoutSession)
    },
    async searchTenant(tenant, words, limit) {
      return foundIn(on, await newestOf(on, tenant), { words, limit })
    },
  }),
  async dropSessions(on, ids) {
    await on.run('DELETE FROM turns WHERE session_id = ANY($1::bigint[])', ids)
    return 0
  },
}

const lastTurn = 2 ** 31 - 1

async function lanesOf(on: PostgresReader, { tenant, session }: Scope): Promise<readonly number[]> {
  const rows = await on.all('SELECT id FROM sessions WHERE tenant = $1 AND name = $2', tenant, session)
  return rows.map((row) => Number(row['id']))
}

async function newestOf(on: PostgresReader, tenant: string): Promise<readonly number[]> {
  const sql = `SELECT id FROM sessions WHERE tenant = $1 ORDER BY used_ms DESC LIMIT ${mostSearched}`
  return (await on.all(sql, tenant)).map((row) => Number(row['id']))
}

interface Sought {
  readonly words: string
  readonly limit: number
}

async function foundIn(
  on: PostgresReader,
  sessionIds: readonly number[],
  { words, limit }: Sought,
): Promise<readonly FoundInTenant[]> {
  const found = await on.find({ sessionIds, kind: documentKinds.turnItem }, words, limit)
  return (await Promise.all(found.map((one) => foundItem(on, one)))).flat()
}

async function itemsOf(on: PostgresReader, row: PostgresRow): Promise<readonly TurnItem[]> {
  const sessionId = Number(row['session_id'])
  const ranges = [Number(row['first_item']), Number(row['items'])]
  const fragments = await on.fragments(sessionId, [[listKinds.turn, ranges]])
  const items = fragments.read<StoredTurnItem>(sessionId, listKinds.turn, ranges)
  const texts = await on.texts(items.flatMap((item) => ('textHash' in item ? [item.textHash] : [])))
  return items.map((stored) => {
    if ('text' in stored) return stored
    const { textHash, ...item } = stored
    return { ...item, text: texts.get(textHash) }
  })
}

async function foundItem(on: PostgresReader, { sessionId, number }: FoundDocument): Promise<readonly FoundInTenant[]> {
  const [row] = await on.all(
    `SELECT name, lane, turn, request_id, created_ms FROM ${allTurns}
     WHERE session_id = $1 AND first_item <= $2 AND first_item + items > $2`,
    sessionId,
    number,
  )
  const [item] = await itemsOf(on, { session_id: sessionId, first_item: number, items: 1 })
  return row && item ? [{ session: String(row['name']), ...turnHeadIn(row), item }] : []
}

/** Indexes a few of the items that logs have and the index lacks; gives whether there may be more. */
async function indexTurns(on: PostgresWriter, sessionIds: readonly number[]): Promise<boolean> {
  let left = itemsAtOnce
  for (const sessionId of sessionIds) {
    const of = { sessionId, kind: documentKinds.turnItem }
    const [row] = await on.all(
      `SELECT (SELECT coalesce(max(number), -1) + 1 FROM documents WHERE session_id = $1 AND kind = $2) AS next,
         (SELECT coalesce(max(first_item + items), 0) FROM turns WHERE session_id = $1) AS stop`,
      sessionId,
      of.kind,
    )
    const next = Number(row?.['next'])
    const missing = Number(row?.['stop']) - next
    const some = { session_id: sessionId, first_item: next, items: Math.min(missing, left) }
    for (const [at, item] of (await itemsOf(on, some)).entries())
      on.addDocument({ ...of, number: next + at }, isSearched(item) ? `${item.toolName ?? ''}\n${item.text}` : '')
    if (missing > left) return true
    left -= missing
  }
  return false
}
