import { z } from 'zod'
import type { Store, SessionSummary } from '../../../stores/index.ts'
import { pageOf, placeOf } from '../cursor.ts'
import type { Answered, Asked } from '../route.ts'
import type { sessionsQuery } from '../routes/session-routes.ts'
import type { sessionDetail } from '../schemas/sessions.ts'
import { notFound } from './not-found.ts'
import { sessionFolder } from './session-epochs.ts'

const place = z.strictObject({ usedMs: z.number(), session: z.string() })

/** Sessions, those last used first. */
export async function answerSessions(store: Store, { tenant, query }: Asked<typeof sessionsQuery>) {
  const { limit, session, cursor } = query
  const after = placeOf(place, cursor)
  const rows = await store.sessions(tenant, {
    limit: limit + 1,
    ...(session !== undefined && { session }),
    ...(after && { after }),
  })
  const page = pageOf(rows, limit, ({ usedMs, session: name }: SessionSummary) => ({ usedMs, session: name }))
  return { object: 'list' as const, ...page }
}

/** As many as the store adds up in a few milliseconds: others wait for it meanwhile. */
const pageSize = 2000
const mostReceipts = 200_000

/** One session: its conversations, its epochs and whether they paid back, and every break of its cache. */
export async function answerSession(
  store: Store,
  { tenant, params }: Asked,
): Promise<Answered<z.output<typeof sessionDetail>>> {
  const session = params['session'] ?? ''
  const [summary] = await store.sessions(tenant, { limit: 1, session })
  if (!summary) throw notFound('session', 'List them with GET /v1/sessions.')
  const folder = sessionFolder()
  let after = -1
  let page = pageSize
  while (page === pageSize && folder.receipts() < mostReceipts) {
    const account = await store.account(tenant, { session, after, limit: pageSize })
    folder.add(account)
    after = account.last ?? after
    page = account.receipts
  }
  return { ...summary, ...folder.told(), whole: page < pageSize }
}
