import type { PrehendError } from '../../../core/index.ts'
import { PassingMap } from '../../../host/index.ts'
import { retentionOf } from '../../kernel/retention.ts'
import { storeError } from '../../kernel/store.ts'
import type { MemoryImport, MemoryKernel, MemoryPruning, MemoryScope, MemoryTable } from '../../kernel/table.ts'
import { numberBases, receiptsInFile } from './memory-receipt-file.ts'
import { summarize, withWanted } from './receipt.ts'
import type { Receipt, ReceiptHead, ReceiptQuery, ReceiptSummary, ReceiptToRecord, ReceiptTypes } from './receipt.ts'
import { isFailed, withoutMessages } from './receipt-result.ts'
import type { ReceiptResult } from './receipt-result.ts'

export interface FiledReceipt {
  readonly sequence: number
  readonly tenant: string
  /** Where it belongs. */
  readonly of: MemoryScope
  readonly lane: string
  receipt: Receipt
}

/** The newest receipts, in memory. */
export interface MemoryReceipts extends MemoryTable<ReceiptTypes> {
  /** Gives a receipt that had no result yet. */
  end(tenant: string, requestId: string, result: ReceiptResult): FiledReceipt | undefined
  /** All of them, the oldest first. */
  filed(): Iterable<FiledReceipt>
  /** Gives a receipt its result, which came with it from a file. */
  restore(from: MemoryImport, sequence: number, result: ReceiptResult): void
  /** Those whose request's or pack's id begins so. */
  named(tenant: string, text: string, limit: number): readonly NamedReceipt[]
}

type NamedReceipt = Pick<ReceiptHead, 'requestId' | 'packId' | 'session' | 'createdMs'>

export function memoryReceipts({ limits }: MemoryKernel): MemoryReceipts {
  const { filed, remove, requested, newestFirst, add, conclude, highest } = shelf(limits)
  const baseOf = numberBases(highest)

  const find = (tenant: string, id: string): Receipt | undefined =>
    (requested(tenant, id) ?? newestFirst(tenant).find(({ receipt }) => receipt.packId === id))?.receipt

  return {
    check({ receipt: { requestId } }, { scope: { tenant } }) {
      if (requested(tenant, requestId) !== undefined) throw alreadyThere(requestId)
    },
    apply({ receipt }, { scope: { session }, nowMs: createdMs, lane }) {
      if (lane) add(lane, { ...asRecorded(receipt), session, createdMs })
    },
    end(tenant, requestId, result) {
      const entry = requested(tenant, requestId)
      return entry?.receipt.result ? undefined : conclude(entry, result)
    },
    filed: () => filed.values(),
    restore: (from, number, result) => void conclude(filed.get(baseOf(from) + number), result),
    portable: receiptsInFile({
      filed: () => filed.values(),
      add: (of, receipt, { from, number }) => add(of, receipt, baseOf(from) + number),
    }),
    named: (tenant, text, limit) => named(newestFirst(tenant), text).slice(0, limit),
    reads: {
      get: (tenant, id, wanted) => withWanted(find(tenant, id), wanted),
      list: (tenant, query) => listed(newestFirst(tenant), query),
    },
    prune(asked) {
      const dropped = outlived([...filed.values()], asked)
      for (const entry of dropped) remove(entry)
      return dropped.length
    },
  }
}

/** The receipts themselves, by number and by request. */
function shelf({ maxReceipts, maxBodyChars }: MemoryKernel['limits']) {
  const filed = new PassingMap<number, FiledReceipt>()
  const byRequest = new Map<string, number>()
  const bodies = heldBodies(maxBodyChars)
  /** How many there are of each tenant, so that the one with the most makes room. */
  const held = new Map<string, number>()
  let sequence = 0

  const remove = (entry: FiledReceipt | undefined): void => {
    if (!entry) return
    bodies.forget(entry)
    filed.delete(entry.sequence)
    byRequest.delete(keyOf(entry.tenant, entry.receipt.requestId))
    const left = (held.get(entry.tenant) ?? 0) - 1
    if (left > 0) held.set(entry.tenant, left)
    else held.delete(entry.tenant)
  }

  const requested = (tenant: string, requestId: string): FiledReceipt | undefined =>
    filed.get(byRequest.get(keyOf(tenant, requestId)) ?? 0)

  const newestFirst = (tenant: string): FiledReceipt[] =>
    [...filed.values()].filter((entry) => entry.tenant === tenant).toReversed()

  const add = (of: MemoryScope, receipt: Receipt, number = sequence + 1): void => {
    const { tenant, lane = '' } = of.scope
    sequence = number
    byRequest.set(keyOf(tenant, receipt.requestId), sequence)
    const entry: FiledReceipt = { sequence, tenant, of, lane, receipt }
    filed.set(sequence, entry)
    bodies.hold(entry)
    held.set(tenant, (held.get(tenant) ?? 0) + 1)
    if (filed.size > maxReceipts) remove(oldestOf(fullest(held)))
  }
  /** The oldest receipt of a tenant. */
  const oldestOf = (tenant: string): FiledReceipt | undefined => {
    for (const entry of filed.values()) if (entry.tenant === tenant) return entry
    return undefined
  }
  const conclude = (entry: FiledReceipt | undefined, result: ReceiptResult): FiledReceipt | undefined => {
    if (!entry) return undefined
    entry.receipt = { ...entry.receipt, result }
    bodies.hold(entry)
    return entry
  }
  return { filed, remove, requested, newestFirst, add, conclude, highest: () => sequence }
}

/** The tenant that holds the most. */
function fullest(held: ReadonlyMap<string, number>): string {
  let most = { tenant: '', number: 0 }
  for (const [tenant, number] of held) if (number > most.number) most = { tenant, number }
  return most.tenant
}

function named(newestFirst: readonly FiledReceipt[], text: string): readonly NamedReceipt[] {
  return newestFirst
    .map(({ receipt: { requestId, packId, session, createdMs } }) => ({ requestId, packId, session, createdMs }))
    .filter(({ requestId, packId }) => requestId.startsWith(text) || packId.startsWith(text))
    .toSorted((a, b) => (a.requestId < b.requestId ? -1 : 1))
}

function listed(newestFirst: readonly FiledReceipt[], query: ReceiptQuery): readonly ReceiptSummary[] {
  return (query.after === undefined ? newestFirst : newestFirst.toReversed())
    .filter((entry) => matches(entry, query))
    .slice(0, query.limit)
    .map((entry) => summarize(entry.receipt, entry))
}

function alreadyThere(requestId: string): PrehendError {
  const reason = `a receipt of request ${requestId} is already there`
  return storeError('write', reason, 'Give what is new a name of its own.')
}

/** Those that are too old, too many, or of lanes that have gone; the oldest stand first. */
function outlived(filed: readonly FiledReceipt[], { nowMs, retention, gone }: MemoryPruning): readonly FiledReceipt[] {
  const surplus = new Map<string, number>()
  for (const { tenant } of filed) surplus.set(tenant, (surplus.get(tenant) ?? -retention.maxReceipts) + 1)
  const isOver = ({ tenant }: FiledReceipt): boolean => {
    const over = surplus.get(tenant) ?? 0
    surplus.set(tenant, over - 1)
    return over > 0
  }
  const isAged = ({ tenant, receipt }: FiledReceipt): boolean =>
    receipt.createdMs < nowMs - retentionOf(retention, tenant).receiptAgeMs
  return filed.filter((entry) => isOver(entry) || gone.has(entry.of) || isAged(entry))
}

function asRecorded({ request, ...about }: ReceiptToRecord): Omit<Receipt, 'session' | 'createdMs'> {
  return { ...about, ...(request && { request: { ...request, body: request.body.toString() } }) }
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
