import type { PostgresReader, PostgresRow } from '../../kernel/table.ts'
import type { FoundNames } from './found-names.ts'

interface Asked {
  readonly tenant: string
  readonly text: string
  readonly limit: number
}

/** As `nameFinder` in SQLite: names by how they begin, those of sessions by any part of them. */
export async function findNames(on: PostgresReader, { tenant, text, limit }: Asked): Promise<FoundNames> {
  const ask = (sql: string): Promise<readonly PostgresRow[]> => on.all(sql, tenant, text, limit)
  const [sessions, byRequest, byPack, handles] = await Promise.all([
    ask(
      `SELECT name, max(used_ms) AS used_ms FROM sessions WHERE tenant = $1 AND strpos(name, $2) > 0
       GROUP BY name ORDER BY max(used_ms) DESC, name LIMIT $3`,
    ),
    ask(receiptsBy('request_id')),
    ask(receiptsBy('pack_id')),
    ask(
      `SELECT DISTINCT handle, name FROM handles JOIN sessions ON sessions.id = session_id
       WHERE handles.tenant = $1 AND handle >= $2 AND starts_with(handle, $2) ORDER BY handle, name LIMIT $3`,
    ),
  ])
  const receipts = [...byRequest, ...byPack].map((row) => ({
    requestId: String(row['request_id']),
    packId: String(row['pack_id']),
    session: String(row['name']),
    createdMs: Number(row['created_ms']),
  }))
  return {
    sessions: sessions.map((row) => ({ session: String(row['name']), usedMs: Number(row['used_ms']) })),
    receipts: [...new Map(receipts.map((one) => [one.requestId, one])).values()].slice(0, limit),
    handles: handles.map((row) => ({ handle: String(row['handle']), session: String(row['name']) })),
  }
}

function receiptsBy(column: 'request_id' | 'pack_id'): string {
  return `SELECT request_id, pack_id, created_ms, name FROM receipts JOIN sessions ON sessions.id = session_id
    WHERE receipts.tenant = $1 AND ${column} >= $2 AND starts_with(${column}, $2) ORDER BY ${column}, sequence LIMIT $3`
}
