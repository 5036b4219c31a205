import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { SqliteRows } from '../../kernel/table.ts'
import { listedOriginals } from './listed-originals.ts'
import type { Original, OriginalTypes } from './original.ts'
import { sqliteOriginalSearch } from './sqlite-original-search.ts'
import { takenHandle } from './taken-handle.ts'

type About = Omit<Original, 'handle' | 'text'>

export function sqliteOriginals(kernel: SqliteKernel): SqliteRows<OriginalTypes> {
  const { db, texts } = kernel
  const search = sqliteOriginalSearch(kernel, aboutIn)
  const put = db.prepare(
    'INSERT OR IGNORE INTO handles (tenant, handle, session_id, text_id, about) VALUES (?, ?, ?, ?, ?)',
  )
  const heldText = db.prepare('SELECT text_id FROM handles WHERE tenant = ? AND handle = ? AND session_id = ?')
  const one = db.prepare(
    `SELECT about, text_id FROM handles WHERE handles.tenant = ? AND handle = ? AND
     (? IS NULL OR session_id IN (SELECT id FROM sessions WHERE sessions.tenant = ? AND name = ?)) LIMIT 1`,
  )
  const all = db.prepare(
    `SELECT handle, about, text_id FROM handles
     WHERE session_id IN (SELECT id FROM sessions WHERE tenant = ? AND name = ?) GROUP BY handle ORDER BY text_id, handle`,
  )
  const listed = db.prepare(
    `SELECT handle, about FROM handles
     WHERE session_id IN (SELECT id FROM sessions WHERE tenant = ? AND name = ?) GROUP BY handle`,
  )
  const drop = db.prepare('DELETE FROM handles WHERE session_id = ?')
  return {
    apply(row, { scope: { tenant }, sessionId }) {
      for (let at = 0; at < row.length; at += 3) {
        const [handle, text, about] = [String(row[at]), String(row[at + 1]), String(row[at + 2])]
        const textId = texts.put(sessionId, text).id
        if (put.run(tenant, handle, sessionId, textId, about).changes === 1) continue
        if (heldText.get(tenant, handle, sessionId)?.['text_id'] !== textId) throw new Error(takenHandle(handle))
      }
    },
    reads: {
      get({ tenant, session: name = null }, handle) {
        const row = one.get(tenant, handle, name, tenant, name)
        if (!row) return undefined
        return { handle, text: texts.byId(Number(row['text_id'])), ...aboutIn(row) }
      },
      all: ({ tenant, session: name }) =>
        all.all(tenant, name).map((row) => ({
          handle: String(row['handle']),
          text: texts.byId(Number(row['text_id'])),
          ...aboutIn(row),
        })),
      list: ({ tenant, session: name }, query) =>
        listedOriginals(
          listed.all(tenant, name).map((row) => ({ handle: String(row['handle']), ...aboutIn(row) })),
          query,
        ),
      search: search.search,
    },
    prepare: { search: search.prepare },
    dropSession(sessionId) {
      drop.run(sessionId)
      return 0
    },
  }
}

function aboutIn(row: Readonly<Record<string, unknown>>): About {
  return JSON.parse(String(row['about'])) as About
}
