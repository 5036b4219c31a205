import { readTurnLog } from '../../../sessions/index.ts'
import type { Store } from '../../../stores/index.ts'
import type { Answered, Asked } from '../route.ts'
import type { turnsQuery } from '../routes/session-routes.ts'
import type { turnLog } from '../schemas/turns.ts'
import type { z } from 'zod'
import { notFound } from './not-found.ts'

/** The log of a session. */
export async function answerTurns(
  store: Store,
  { tenant, params, query }: Asked<typeof turnsQuery>,
): Promise<Answered<z.output<typeof turnLog>>> {
  const session = params['session'] ?? ''
  const log = await readTurnLog(store, { tenant, session }, query)
  if (log.lanes.length > 0) return log
  const [known] = await store.read('results').sessions(tenant, { limit: 1, session })
  if (!known) throw notFound('session', 'List them with GET /v1/sessions.')
  return log
}
