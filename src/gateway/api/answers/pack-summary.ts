import type { z } from 'zod'
import { shortageOf, shownManifest } from '../../../core/index.ts'
import { itemNames } from '../../../inspect/index.ts'
import { sentAs } from '../../../stores/index.ts'
import type { Receipt, ReceiptSummary, Store } from '../../../stores/index.ts'
import { pageWithin } from '../cursor.ts'
import type { Answered, Asked } from '../route.ts'
import type { decisionsQuery } from '../routes/pack-routes.ts'
import type { packSummary } from '../schemas/receipts.ts'
import { packNamed } from './packs.ts'

type Summary = Answered<z.output<typeof packSummary>>

/** A receipt without what is long, and its neighbours. */
export async function answerSummary(store: Store, asked: Asked): Promise<Summary> {
  const receipt = await packNamed(store, asked, leastContent)
  const { manifest, input: _input, request: _request, origins: _origins, ...head } = receipt
  const { decisions, truncations: _truncations, ...summary } = manifest
  const how = { sentAs: sentAs(receipt), shortage: shortageOf(manifest) ?? null }
  const { before, after } = await neighboursOf(store, asked.tenant, receipt)
  const beside = { before: placed(before), after: placed(after) }
  return { ...head, manifest: summary, ...how, decisions: decisions.length, ...beside }
}

export const leastContent = { input: false, request: false } as const

function placed(row: ReceiptSummary | undefined): Summary['before'] {
  return row === undefined ? null : { requestId: row.requestId, createdMs: row.createdMs }
}

interface Neighbours {
  readonly before: ReceiptSummary | undefined
  readonly after: ReceiptSummary | undefined
}

/** The requests beside one in its conversation, which is its lane of its session. */
export async function neighboursOf(
  store: Store,
  tenant: string,
  { requestId, session }: Pick<Receipt, 'requestId' | 'session'>,
): Promise<Neighbours> {
  const own = await rowOf(store, tenant, requestId)
  if (!own) return { before: undefined, after: undefined }
  const { sequence, lane } = own
  const [[before], [after]] = await Promise.all([
    store.read('receipts').list(tenant, { session, lane, before: sequence, limit: 1 }),
    store.read('receipts').list(tenant, { session, lane, after: sequence, limit: 1 }),
  ])
  return { before, after }
}

/** A receipt as it stands in lists: with its place and its lane. */
export async function rowOf(store: Store, tenant: string, requestId: string): Promise<ReceiptSummary | undefined> {
  const [row] = await store.read('receipts').list(tenant, { requestId, limit: 1 })
  return row
}

/** The decisions of a receipt, page by page; without a pack, every item in full. */
export async function answerDecisions(store: Store, asked: Asked<typeof decisionsQuery>) {
  const { manifest, input } = await packNamed(store, asked, { request: false })
  const names = itemNames(input?.items ?? [])
  const { data, next } = pageWithin(shownManifest(manifest).decisions, asked.query)
  const named = data.map((decision) => ({ ...decision, name: names.get(decision.itemId)?.name ?? null }))
  return { object: 'list' as const, data: named, next }
}
