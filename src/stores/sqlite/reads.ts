import type { DatabaseSync } from 'node:sqlite'
import type { FoundNames, HandleScope, Original, Scope, SessionState } from '../store.ts'
import type { AccountQuery, SessionAccount } from '../session-account.ts'
import { accountReader } from './account-rows.ts'
import type { CostTable } from './cost-rows.ts'
import { nameFinder } from './find-names.ts'
import { receiptReader } from './receipt-reads.ts'
import type { ReceiptReader } from './receipt-reads.ts'
import { readLedger, readOverlay } from './receipt-rows.ts'
import type { SqliteTables } from './receipt-rows.ts'

export interface SqliteReader extends ReceiptReader, Pick<CostTable, 'sessions'> {
  session(scope: Scope): SessionState | undefined
  lanes(tenant: string, session: string, beginning?: string): readonly string[]
  original(scope: HandleScope, handle: string): Original | undefined
  originals(scope: Scope): readonly Original[]
  account(tenant: string, query: AccountQuery): SessionAccount
  find(tenant: string, text: string, limit: number): FoundNames
}

export function sqliteReader(db: DatabaseSync, tables: SqliteTables): SqliteReader {
  const { texts, costs } = tables
  const session = db.prepare(
    'SELECT id, version, offered_tools, overlay, ledger FROM sessions WHERE tenant = ? AND name = ? AND lane = ?',
  )
  const lanes = db.prepare(
    `SELECT lane FROM sessions WHERE tenant = ?1 AND name = ?2 AND lane >= ?3 AND lane < ?3 || char(0x10FFFF)
     ORDER BY used_ms DESC, id DESC`,
  )
  const original = db.prepare(
    `SELECT about, text_id FROM handles WHERE handles.tenant = ?1 AND handle = ?2 AND
     (?3 IS NULL OR session_id IN (SELECT id FROM sessions WHERE sessions.tenant = ?1 AND name = ?3)) LIMIT 1`,
  )
  const originals = db.prepare(
    `SELECT handle, about, text_id FROM handles
     WHERE session_id IN (SELECT id FROM sessions WHERE tenant = ? AND name = ?) GROUP BY handle ORDER BY text_id, handle`,
  )
  return {
    session({ tenant, session: name, lane = '' }) {
      const row = session.get(tenant, name, lane)
      if (!row) return undefined
      const { ledger } = row
      const rows = { ...tables, sessionId: Number(row['id']) }
      return {
        version: Number(row['version']),
        offeredTools: JSON.parse(String(row['offered_tools'])) as string[],
        overlay: readOverlay(rows, String(row['overlay'])),
        ...(typeof ledger === 'string' && { ledger: readLedger(rows, ledger) }),
      }
    },
    lanes: (tenant, name, beginning = '') => lanes.all(tenant, name, beginning).map((row) => String(row['lane'])),
    original({ tenant, session: name = null }, handle) {
      const row = original.get(tenant, handle, name)
      if (!row) return undefined
      const about = JSON.parse(String(row['about'])) as Omit<Original, 'handle' | 'text'>
      return { handle, text: texts.byId(Number(row['text_id'])), ...about }
    },
    originals: ({ tenant, session: name }) =>
      originals.all(tenant, name).map(({ handle, about, text_id: textId }) => ({
        handle: String(handle),
        text: texts.byId(Number(textId)),
        ...(JSON.parse(String(about)) as Omit<Original, 'handle' | 'text'>),
      })),
    sessions: costs.sessions,
    account: accountReader(db),
    find: nameFinder(db),
    ...receiptReader(db, tables),
  }
}
