import { PassingMap } from '../../host/index.ts'
import { summarize } from '../store.ts'
import { withoutMessages } from '../receipt-result.ts'
import type { ReceiptResult } from '../receipt-result.ts'
import { scopeKey } from '../scope-key.ts'
import { isFailed } from '../statistics/rollups.ts'
import type { FoundNames, Receipt, ReceiptQuery, ReceiptSummary, Scope } from '../store.ts'

export interface FiledReceipt {
  readonly sequence: number
  readonly tenant: string
  readonly sessionKey: string
  readonly lane: string
  receipt: Receipt
}

/** The newest receipts, in memory. */
export interface MemoryReceipts {
  readonly size: number
  has(tenant: string, requestId: string): boolean
  add(scope: Scope, receipt: Receipt): void
  /** Gives a receipt that had no result yet. */
  end(tenant: string, requestId: string, result: ReceiptResult): FiledReceipt | undefined
  find(tenant: string, id: string): Receipt | undefined
  list(tenant: string, query: ReceiptQuery): readonly ReceiptSummary[]
  /** Those whose request's or pack's id begins so. */
  named(tenant: string, text: string, limit: number): FoundNames['receipts']
  /** Removes the oldest `surplus`, and those chosen; gives how many. */
  drop(surplus: number, chosen: (filed: FiledReceipt) => boolean): number
}

export interface MemoryReceiptsOptions {
  readonly maxReceipts: number
  readonly maxBodyChars: number
}

export function memoryReceipts({ maxReceipts, maxBodyChars }: MemoryReceiptsOptions): MemoryReceipts {
  const filed = new PassingMap<number, FiledReceipt>()
  const byRequest = new Map<string, number>()
  const bodies = heldBodies(maxBodyChars)
  let sequence = 0

  const remove = (entry: FiledReceipt | undefined): void => {
    if (!entry) return
    bodies.forget(entry)
    filed.delete(entry.sequence)
    byRequest.delete(keyOf(entry.tenant, entry.receipt.requestId))
  }

  const requested = (tenant: string, requestId: string): FiledReceipt | undefined =>
    filed.get(byRequest.get(keyOf(tenant, requestId)) ?? 0)

  const newestFirst = (tenant: string): FiledReceipt[] =>
    [...filed.values()].filter((entry) => entry.tenant === tenant).toReversed()

  return {
    get size() {
      return filed.size
    },
    has: (tenant, requestId) => requested(tenant, requestId) !== undefined,
    add(scope, receipt) {
      const { tenant, lane = '' } = scope
      sequence += 1
      byRequest.set(keyOf(tenant, receipt.requestId), sequence)
      const entry: FiledReceipt = { sequence, tenant, sessionKey: scopeKey(scope), lane, receipt }
      filed.set(sequence, entry)
      bodies.hold(entry)
      remove(filed.get(sequence - maxReceipts))
    },
    end(tenant, requestId, result) {
      const entry = requested(tenant, requestId)
      if (!entry || entry.receipt.result) return undefined
      entry.receipt = { ...entry.receipt, result }
      bodies.hold(entry)
      return entry
    },
    find: (tenant, id) =>
      (requested(tenant, id) ?? newestFirst(tenant).find(({ receipt }) => receipt.packId === id))?.receipt,
    named: (tenant, text, limit) =>
      newestFirst(tenant)
        .map(({ receipt: { requestId, packId, session, createdMs } }) => ({ requestId, packId, session, createdMs }))
        .filter(({ requestId, packId }) => requestId.startsWith(text) || packId.startsWith(text))
        .toSorted((a, b) => (a.requestId < b.requestId ? -1 : 1))
        .slice(0, limit),
    list: (tenant, query) =>
      (query.after === undefined ? newestFirst(tenant) : newestFirst(tenant).toReversed())
        .filter((entry) => matches(entry, query))
        .slice(0, query.limit)
        .map((entry) => summarize(entry.receipt, entry)),
    drop(surplus, chosen) {
      const oldest = new Set([...filed.keys()].slice(0, Math.max(0, surplus)))
      const dropped = [...filed.values()].filter((entry) => oldest.has(entry.sequence) || chosen(entry))
      for (const entry of dropped) remove(entry)
      return dropped.length
    },
  }
}

/** The oldest receipts lose the bodies of their requests where those of all are too large together. */
function heldBodies(maxChars: number) {
  const holders = new PassingMap<number, { readonly entry: FiledReceipt; readonly chars: number }>()
  let chars = 0
  const forget = (entry: FiledReceipt): void => {
    chars -= holders.get(entry.sequence)?.chars ?? 0
    holders.delete(entry.sequence)
  }
  const drop = (entry: FiledReceipt): void => {
    forget(entry)
    const { request: _, ...receipt } = entry.receipt
    entry.receipt = receipt.result ? { ...receipt, result: withoutMessages(receipt.result) } : receipt
  }
  /** A receipt that is new, or says more than it did; it keeps its place. */
  const hold = (entry: FiledReceipt): void => {
    if (!entry.receipt.request) return drop(entry)
    const own = charsOf(entry.receipt)
    chars += own - (holders.get(entry.sequence)?.chars ?? 0)
    holders.set(entry.sequence, { entry, chars: own })
    for (const { entry: oldest } of holders.values()) {
      if (chars <= maxChars) break
      drop(oldest)
    }
  }
  return { hold, forget }
}

function charsOf({ request, result }: Receipt): number {
  const said = (result?.rounds ?? []).flatMap(({ messages = [] }) => messages)
  return said.reduce((total, { length }) => total + length, request?.body.length ?? 0)
}

function keyOf(tenant: string, requestId: string): string {
  return `${tenant.length} ${tenant} ${requestId}`
}

function matches({ sequence, lane, receipt }: FiledReceipt, query: ReceiptQuery): boolean {
  const {
    before = Number.POSITIVE_INFINITY,
    after = -1,
    session,
    sinceMs = 0,
    untilMs = Number.POSITIVE_INFINITY,
  } = query
  if (sequence >= before || sequence <= after) return false
  if (session !== undefined && (query.lane ?? lane) !== lane) return false
  if ((query.requestId ?? receipt.requestId) !== receipt.requestId) return false
  if (receipt.createdMs < sinceMs || receipt.createdMs >= untilMs) return false
  if ((session ?? receipt.session) !== receipt.session || (query.model ?? receipt.model) !== receipt.model) return false
  if ((query.policy ?? receipt.manifest.policyId) !== receipt.manifest.policyId) return false
  return !query.failed || (receipt.result !== undefined && isFailed(receipt.result))
}
