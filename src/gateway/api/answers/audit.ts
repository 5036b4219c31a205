import { z } from 'zod'
import type { Store } from '../../../stores/index.ts'
import { pageOf, placeOf } from '../cursor.ts'
import type { Answered, Asked } from '../route.ts'
import type { auditQuery, listAudit } from '../routes/key-routes.ts'
import { listedTenant } from './whose.ts'

export async function answerAudit(
  store: Store,
  asked: Asked<typeof auditQuery>,
): Promise<Answered<z.output<NonNullable<(typeof listAudit)['answer']>>>> {
  const { tenant: named, order, limit, cursor } = asked.query
  const tenant = listedTenant(asked, named)
  const after = placeOf(auditPlace, cursor)
  const query = { ...(tenant !== undefined && { tenant }), order, limit: limit + 1, ...(after && { after }) }
  const found = await store.read('audit').list(query)
  return { object: 'list', ...pageOf(found, limit, ({ tenant: of, seq, atMs }) => ({ tenant: of, seq, atMs })) }
}

const auditPlace = z.strictObject({ tenant: z.string(), seq: z.number(), atMs: z.number() })
