import type { Receipt, RecordedOutcome, Scope, Store } from '../../stores/index.ts'
import { isFailed, outcomeSources } from '../../stores/index.ts'

export type JudgedReceipt = Receipt & { readonly outcomes?: readonly RecordedOutcome[] }

/** A receipt with the outcomes of its request and of its session, where there are any. */
export async function judgedReceipt(
  store: Pick<Store, 'read'>,
  tenant: string,
  receipt: Receipt,
): Promise<JudgedReceipt> {
  const outcomes = await outcomesOfRequest(store, { ...receipt, tenant }, receipt.requestId)
  return { ...receipt, ...(outcomes.length > 0 && { outcomes }) }
}

/** What is recorded of a request and of its whole session: those of the request first, of each the strongest source first. */
async function outcomesOfRequest(
  store: Pick<Store, 'read'>,
  { tenant, session }: Scope,
  requestId: string,
): Promise<readonly RecordedOutcome[]> {
  const recorded = await store.read('outcomes').list(tenant, session)
  const of = (id: string | undefined) =>
    recorded
      .filter((one) => one.requestId === id)
      .toSorted((a, b) => outcomeSources.indexOf(a.source) - outcomeSources.indexOf(b.source))
  return [...of(requestId), ...of(undefined)]
}

/** Requests that are looked through for one that has not failed. */
const mostLooked = 20

/**
 * The newest request of a session that has not failed; of this lane if it has one. One whose result is still to be written counts: a
 * client may be faster with its next request.
 */
export async function lastAnswered(
  store: Pick<Store, 'read'>,
  { tenant, session, lane = '' }: Scope,
): Promise<string | undefined> {
  const newest = async (of: { readonly lane?: string }): Promise<string | undefined> => {
    const receipts = await store.read('receipts').list(tenant, { session, ...of, limit: mostLooked })
    return receipts.find(({ result }) => result === undefined || !isFailed(result))?.requestId
  }
  return (await newest({ lane })) ?? (await newest({}))
}
