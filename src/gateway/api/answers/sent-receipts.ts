import { shownManifest } from '../../../core/index.ts'
import { sentAs } from '../../../stores/index.ts'
import type { Receipt, ReceiptSummary, Store } from '../../../stores/index.ts'

/** Which receipts an answer adds up. */
export interface NewestAsked {
  readonly since?: number | undefined
  readonly session?: string | undefined
  readonly limit: number
}

export interface NewestReceipts {
  readonly newest: readonly ReceiptSummary[]
  /** False where older ones are left out. */
  readonly whole: boolean
  /** Changes when another request comes or ends. */
  readonly state: readonly unknown[]
}

/** The newest receipts of a tenant, the newest first. */
export async function newestReceipts(
  store: Pick<Store, 'read'>,
  tenant: string,
  { since, session, limit }: NewestAsked,
): Promise<NewestReceipts> {
  const rows = await store.read('receipts').list(tenant, {
    limit: limit + 1,
    ...(since !== undefined && { sinceMs: since }),
    ...(session !== undefined && { session }),
  })
  const newest = rows.slice(0, limit)
  const state = newest.map(({ sequence, result }) => [sequence, result?.cost?.usd ?? null])
  return { newest, whole: rows.length <= limit, state }
}

/** Whether a provider was sent the request and took it: what a provider has refused costs nothing. */
export function wasSent(receipt: Receipt): boolean {
  const how = sentAs(receipt)
  if (receipt.result !== undefined && (receipt.result.status === 0 || receipt.result.status >= 400)) return false
  return receipt.mode !== 'unpacked' && (how === 'packed' || how === 'unchanged')
}

/** In mode observe everything was sent, whatever the compile has decided. */
export function sentManifest(receipt: Receipt): ReturnType<typeof shownManifest> {
  const { manifest } = receipt
  return sentAs(receipt) === 'unchanged' ? shownManifest({ ...manifest, outcome: 'budget-exhausted' }) : manifest
}
