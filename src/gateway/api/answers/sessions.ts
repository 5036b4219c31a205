import { z } from 'zod'
import { readRecord } from '../../../sessions/index.ts'
import { addedCost, noCost } from '../../../stores/index.ts'
import type { SessionCost, Store, SessionSummary } from '../../../stores/index.ts'
import { pageOf, placeOf } from '../cursor.ts'
import type { Answered, Asked } from '../route.ts'
import type { sessionQuery, sessionsQuery } from '../routes/session-routes.ts'
import type { sessionDetail } from '../schemas/sessions.ts'
import { notFound } from './not-found.ts'
import { sessionFolder } from './session-epochs.ts'

const place = z.strictObject({ usedMs: z.number(), session: z.string() })

/** Sessions, those last used first. */
export async function answerSessions(store: Store, { tenant, query }: Asked<typeof sessionsQuery>) {
  const { limit, session, cursor } = query
  const after = placeOf(place, cursor)
  const rows = await store.read('results').sessions(tenant, {
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
  { tenant, params, query }: Asked<typeof sessionQuery>,
): Promise<Answered<z.output<typeof sessionDetail>>> {
  const session = params['session'] ?? ''
  const [summary] = await store.read('results').sessions(tenant, { limit: 1, session })
  if (!summary) throw notFound('session', 'List them with GET /v1/sessions.')
  const folder = sessionFolder()
  let after = -1
  let page = pageSize
  while (page === pageSize && folder.receipts() < mostReceipts) {
    const account = await store.read('results').account(tenant, { session, after, limit: pageSize })
    folder.add(account)
    after = account.last ?? after
    page = account.receipts
  }
  const { parent = null, children = [] } = (await readRecord(store, { tenant, session })) ?? {}
  const tree = query.tree === 'true' ? await treeOf(store, tenant, session) : undefined
  const family = { parentId: parent, children, ...(tree && { tree }) }
  return { ...summary, ...family, ...folder.told(), whole: page < pageSize }
}

const mostSessions = 1000

interface Tree {
  readonly sessions: number
  readonly cost: SessionCost
  readonly whole: boolean
}

/** What a session and all below it have cost; each once, whoever names whom. */
async function treeOf(store: Store, tenant: string, root: string): Promise<Tree> {
  const seen = new Set([root])
  let cost = noCost
  let sessions = 0
  for (const session of seen) {
    if (sessions === mostSessions) break
    const [[summary], record] = await Promise.all([
      store.read('results').sessions(tenant, { limit: 1, session }),
      readRecord(store, { tenant, session }),
    ])
    sessions += 1
    if (summary) cost = addedCost(cost, summary.cost)
    for (const child of record?.children ?? []) seen.add(child)
  }
  return { sessions, cost, whole: sessions === seen.size }
}
