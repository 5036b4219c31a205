import { PrehendError } from '../../../core/index.ts'
import type { RecordedCompile } from '../../../inspect/index.ts'
import type { Receipt, ReceiptSummary, Store } from '../../../stores/index.ts'
import { rowOf } from './pack-summary.ts'

const pageSize = 1000
/** Of a session, up to the one that is asked about. */
const mostRequests = 1000
const mostMs = 30_000

export interface RequestsAsked {
  readonly receipt: Pick<Receipt, 'requestId' | 'session' | 'dialect'>
  readonly from: 'session' | 'request'
}

/** A request of a session, as it was compiled; `isLast` of the one that was asked about. */
export interface CompiledRequest extends RecordedCompile {
  readonly isLast: boolean
}

/**
 * The requests that led to one, each with what was compiled, the oldest first: all of its conversation and of what that has branched off from, or the one
 * before it alone. Undefined in place of one whose content is not recorded. Throws `beyond-limits`.
 */
export async function* compiledRequests(
  store: Store,
  tenant: string,
  asked: RequestsAsked,
): AsyncGenerator<CompiledRequest | undefined> {
  const { requestId } = asked.receipt
  const rows = await leadingRows(store, tenant, asked)
  if (rows.length > mostRequests) throw tooMany(rows.length)
  const beganMs = performance.now()
  for (const row of rows) {
    if (performance.now() - beganMs > mostMs) throw tooMany(rows.length)
    const { input, manifest } = (await store.read('receipts').get(tenant, row.requestId, { request: false })) ?? {}
    const isLast = row.requestId === requestId
    yield input && manifest && { input, manifest, isAnswered: isAnswered(row), isLast }
  }
}

async function leadingRows(
  store: Store,
  tenant: string,
  { receipt, from }: RequestsAsked,
): Promise<readonly Pick<ReceiptSummary, 'requestId' | 'result'>[]> {
  const own = await rowOf(store, tenant, receipt.requestId)
  // Compiles by themselves are no conversation.
  if (!own || receipt.dialect === 'compile') return [receipt]
  const { session } = receipt
  const { sequence, lane } = own
  if (from === 'request')
    return [...(await store.read('receipts').list(tenant, { session, lane, before: sequence, limit: 1 })), own]
  const rows: ReceiptSummary[] = []
  for (let after = -1; after < sequence;) {
    const page = await store.read('receipts').list(tenant, { session, after, limit: pageSize })
    rows.push(...page.filter((row) => row.sequence <= sequence && trunkOf(row.lane) === trunkOf(lane)))
    after = page.length < pageSize ? sequence : (page.at(-1)?.sequence ?? sequence)
    if (rows.length > mostRequests) break
  }
  return rows
}

/** A conversation that has left another is called after it. */
function trunkOf(lane: string): string {
  return lane.split('~', 1)[0] ?? ''
}

function isAnswered({ result }: Pick<ReceiptSummary, 'result'>): boolean {
  return result === undefined || (result.status >= 200 && result.status < 300)
}

function tooMany(requests: number): PrehendError<'beyond-limits'> {
  const remedy = 'Ask with from=request: then the policy takes over with this request.'
  const message = `The session has too much before this request to pack it all again. ${remedy}`
  return new PrehendError('beyond-limits', message, { field: 'from', most: Math.min(requests, mostRequests), remedy })
}
