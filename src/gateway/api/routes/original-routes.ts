import { z } from 'zod'
import { itemKinds } from '../../../core/index.ts'
import { archiveReasons } from '../../../stores/index.ts'
import { route } from '../route.ts'
import { limit, listOf } from '../schemas/parts.ts'
import { leftOut } from '../schemas/receipts.ts'

const kind = z.enum(itemKinds)
const reason = z
  .enum(archiveReasons)
  .describe(
    'Why it is here: it is shown shortened, it is not shown, a summary stands for it, or the brief of a compaction does.',
  )

const about = {
  handle: z.string(),
  uri: z.string().describe('Its address, which the tool `rehydrate` takes, too.'),
  kind: kind.exactOptional(),
  toolName: z.string().exactOptional(),
  reason: reason.exactOptional(),
  leftOut: leftOut.exactOptional(),
}

export const originalsQuery = z.strictObject({
  q: z.string().trim().min(1).max(400).optional().describe('Words that they say: the best first.'),
  kind: kind.optional().describe('Only of this kind.'),
  reason: reason.optional(),
  limit: limit(100),
})

export const listOriginals = route({
  method: 'get',
  path: '/v1/sessions/{session}/originals',
  name: 'listOriginals',
  about: 'What was left out of the requests of a session, without the texts.',
  query: originalsQuery,
  answer: listOf(z.strictObject(about).meta({ id: 'ListedOriginal' })),
  example: '/v1/sessions/my-session/originals?q=retry+policy&kind=tool-result',
})

export const originalQuery = z.strictObject({
  lines: z.string().max(40).optional().describe('Only these lines, from 1: `10-40` or `7`. Default: all.'),
})

export const showOriginal = route({
  method: 'get',
  path: '/v1/sessions/{session}/originals/{handle}',
  name: 'showOriginal',
  about: 'What a handle brings back, whole or some of its lines.',
  query: originalQuery,
  answer: z.strictObject({ ...about, text: z.string() }).meta({ id: 'Original' }),
  example: '/v1/sessions/my-session/originals/482915037114',
  errors: ['not-found'],
})
