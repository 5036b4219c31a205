import type { z } from 'zod'
import { hasScope } from '../../../core/index.ts'
import { recordOutcome } from '../../../sessions/index.ts'
import type { Store } from '../../../stores/index.ts'
import { pageWithin } from '../cursor.ts'
import type { Answered, Asked } from '../route.ts'
import type { listOutcomes, outcomesQuery } from '../routes/outcome-routes.ts'
import type { givenOutcome, outcome } from '../schemas/outcomes.ts'
import { notFound } from './not-found.ts'

interface OutcomeHost {
  readonly store: Store
  readonly clock: () => number
}

export async function answerOutcome(
  host: OutcomeHost,
  {
    tenant,
    asker,
    body: { session, ...given },
  }: Pick<Asked<z.ZodObject, typeof givenOutcome>, 'tenant' | 'asker' | 'body'>,
): Promise<Answered<z.output<typeof outcome>>> {
  const { note, ...recorded } = await recordOutcome(host, { tenant, session }, given)
  // What was recorded first may be in the words of somebody else.
  const mayRead = hasScope(asker, 'read') || note === given.note
  return { session, ...recorded, ...(note !== undefined && mayRead && { note }) }
}

export async function answerOutcomes(
  store: Store,
  { tenant, query: { session, requestId, ...page } }: Asked<typeof outcomesQuery>,
): Promise<Answered<z.output<NonNullable<(typeof listOutcomes)['answer']>>>> {
  const recorded = await store.read('outcomes').list(tenant, session)
  if (recorded.length === 0 && (await store.read('sessions').lanes(tenant, session)).length === 0)
    throw notFound('session', 'List them with GET /v1/sessions.')
  const asked = recorded.filter((one) => requestId === undefined || one.requestId === requestId)
  const { data, next } = pageWithin(asked, page)
  return { object: 'list', data: data.map((one) => ({ session, ...one })), next }
}
