import { z } from 'zod'
import type { Receipt, ReceiptSummary, Store, WantedContent } from '../../../stores/index.ts'
import { pageOf, placeOf } from '../cursor.ts'
import type { Asked } from '../route.ts'
import type { packsQuery } from '../routes/pack-routes.ts'
import { notFound } from './not-found.ts'

const place = z.strictObject({ before: z.number() })

/** Receipts, newest first. */
export async function answerPacks(store: Store, { tenant, query }: Asked<typeof packsQuery>) {
  const { limit, cursor, session, model, policy, since, until, failed } = query
  const before = placeOf(place, cursor)?.before ?? query.before
  const rows = await store.read('receipts').list(tenant, {
    limit: limit + 1,
    ...(before !== undefined && { before }),
    ...(session !== undefined && { session }),
    ...(model !== undefined && { model }),
    ...(policy !== undefined && { policy }),
    ...(since !== undefined && { sinceMs: since }),
    ...(until !== undefined && { untilMs: until }),
    ...(failed && { failed }),
  })
  const page = pageOf(rows, limit, ({ sequence }: ReceiptSummary) => ({ before: sequence }))
  return { object: 'list' as const, ...page }
}

/** The receipt that a path names; throws `not-found`. */
export async function packNamed(
  store: Store,
  { tenant, params }: Pick<Asked, 'tenant' | 'params'>,
  wanted?: WantedContent,
): Promise<Receipt> {
  const receipt = await store.read('receipts').get(tenant, params['id'] ?? '', wanted)
  if (!receipt) throw notFound('pack', 'List them with GET /v1/packs.')
  return receipt
}
