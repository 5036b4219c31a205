import type { DatabaseSync } from 'node:sqlite'
import type { FoundNames } from './found-names.ts'

/** Looks names up by how they begin, in the indexes that there are; those of sessions, of which there are fewer, by any part of them. */
export function nameFinder(db: DatabaseSync): (tenant: string, text: string, limit: number) => FoundNames {
  const sessions = db.prepare(
    `SELECT name, max(used_ms) AS used_ms FROM sessions INDEXED BY sessions_listed
     WHERE tenant = ? AND instr(name, ?) > 0 GROUP BY name ORDER BY max(used_ms) DESC, name LIMIT ?`,
  )
  const receiptsBy = (column: 'request_id' | 'pack_id') =>
    db.prepare(
      `SELECT request_id, pack_id, created_ms, name FROM receipts JOIN sessions ON sessions.id = session_id
       WHERE receipts.tenant = ? AND ${column} >= ? AND ${column} < ? || char(0x10FFFF) ORDER BY ${column}, sequence LIMIT ?`,
    )
  const byRequest = receiptsBy('request_id')
  const byPack = receiptsBy('pack_id')
  const handles = db.prepare(
    `SELECT DISTINCT handle, name FROM handles JOIN sessions ON sessions.id = session_id
     WHERE handles.tenant = ? AND handle >= ? AND handle < ? || char(0x10FFFF) ORDER BY handle, name LIMIT ?`,
  )
  return (tenant, text, limit) => {
    const receipts = [...byRequest.all(tenant, text, text, limit), ...byPack.all(tenant, text, text, limit)].map(
      (row) => ({
        requestId: String(row['request_id']),
        packId: String(row['pack_id']),
        session: String(row['name']),
        createdMs: Number(row['created_ms']),
      }),
    )
    return {
      sessions: sessions.all(tenant, text, limit).map((row) => ({
        session: String(row['name']),
        usedMs: Number(row['used_ms']),
      })),
      receipts: [...new Map(receipts.map((one) => [one.requestId, one])).values()].slice(0, limit),
      handles: handles
        .all(tenant, text, text, limit)
        .map((row) => ({ handle: String(row['handle']), session: String(row['name']) })),
    }
  }
}
