import type { Policy } from '../../../core/index.ts'
import type { AsyncReads, FragmentRows, PostgresReader, PostgresRow, WantedList } from '../../kernel/table.ts'
import { wantedOfLedger } from '../ledger-rows.ts'
import { listKinds } from '../list-kinds.ts'
import { postgresReceiptList } from './postgres-receipt-list.ts'
import type { Receipt, ReceiptReads, WantedContent } from './receipt.ts'
import { receiptIn, summaryIn } from './receipt-rows.ts'
import type { StoredInput, StoredManifest, StoredRequest } from './stored-forms.ts'

const receiptColumns = `sequence, session_id, request_id, pack_id, created_ms, head, manifest, input, request, result,
  (SELECT name FROM sessions WHERE id = session_id) AS session
  FROM receipts LEFT JOIN results USING (sequence) WHERE receipts.tenant = $1`

export function postgresReceiptReads(on: PostgresReader): AsyncReads<ReceiptReads> {
  return {
    async get(tenant, id, wanted = {}) {
      const [byRequest] = await on.all(`SELECT ${receiptColumns} AND request_id = $2`, tenant, id)
      if (byRequest) return receiptOf(on, byRequest, wanted)
      const newest = `SELECT ${receiptColumns} AND pack_id = $2 ORDER BY sequence DESC LIMIT 1`
      const [byPack] = await on.all(newest, tenant, id)
      return byPack && receiptOf(on, byPack, wanted)
    },
    list: async (tenant, query) => (await postgresReceiptList(on, tenant, query)).map(summaryIn),
  }
}

/** Reads all that the row refers to, and then puts it together. */
async function receiptOf(on: PostgresReader, row: PostgresRow, wanted: WantedContent): Promise<Receipt> {
  const sessionId = Number(row['session_id'])
  const manifest = JSON.parse(String(row['manifest'])) as StoredManifest
  const input = wanted.input === false ? undefined : (storedIn(row['input']) as StoredInput | undefined)
  const request = wanted.request === false ? undefined : (storedIn(row['request']) as StoredRequest | undefined)
  const [fragments, policies] = await Promise.all([
    on.fragments(sessionId, wantedLists(manifest, input, request)),
    policiesOf(on, input),
  ])
  const texts = await on.texts(textHashes(fragments, sessionId, { input, request }))
  return receiptIn({ sessionId, fragments, policies, texts }, row, wanted)
}

function storedIn(column: unknown): unknown {
  return typeof column === 'string' ? JSON.parse(column) : undefined
}

function wantedLists(
  { decisions, sections }: StoredManifest,
  input?: StoredInput,
  request?: StoredRequest,
): readonly WantedList[] {
  return [
    [listKinds.decision, decisions],
    [listKinds.section, sections],
    ...(input ? ([[listKinds.item, input.items]] as const) : []),
    ...(input?.ledger ? wantedOfLedger(input.ledger) : []),
    ...(request
      ? ([
          [listKinds.body, request.body],
          [listKinds.overlay, request.overlay],
        ] as const)
      : []),
  ]
}

function textHashes(
  fragments: FragmentRows,
  sessionId: number,
  { input, request }: { readonly input: StoredInput | undefined; readonly request: StoredRequest | undefined },
): readonly string[] {
  const elements = [
    ...(input ? fragments.read<object>(sessionId, listKinds.item, input.items) : []),
    ...(request ? fragments.read<object>(sessionId, listKinds.body, request.body) : []),
  ]
  return elements.flatMap((element) => ('textHash' in element ? [String(element.textHash)] : []))
}

async function policiesOf(on: PostgresReader, input?: StoredInput): Promise<{ get(key: string): Policy }> {
  const rows = input ? await on.all('SELECT policy FROM policies WHERE key = $1', input.policy) : []
  return {
    get() {
      if (!rows[0]) throw new Error('a receipt refers to a policy that is not there')
      return JSON.parse(String(rows[0]['policy'])) as Policy
    },
  }
}
