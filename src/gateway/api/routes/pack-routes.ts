import { z } from 'zod'
import { route } from '../route.ts'
import { cursor, limit, listOf, name, since, until } from '../schemas/parts.ts'
import { comparedFrom, packComparison } from '../schemas/comparison.ts'
import { namedDecision } from '../schemas/manifest.ts'
import { packSummary, receipt, receiptSummary } from '../schemas/receipts.ts'
import { copyKinds, packBytes, packDifference, packView, shownChoices, verification } from '../schemas/views.ts'

export const packsQuery = z.strictObject({
  limit: limit(50),
  cursor,
  before: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Older than the one with this sequence number; a cursor says the same.'),
  session: name.optional().describe('Only those of this session.'),
  model: name.optional().describe('Only those that this model was asked for, as the client named it.'),
  policy: name.optional().describe('Only those packed by this policy.'),
  since,
  until,
  failed: z
    .literal('true')
    .transform(() => true as const)
    .optional()
    .describe('Only requests without a complete answer.'),
})

export const differenceQuery = z.strictObject({
  from: name.optional().describe('The request to compare with, in place of the one before in the same conversation.'),
})

const id = 'A request id, or a pack id: then it is the newest with it.'

/** Route `GET /v1/packs`: receipts, the newest first. */
export const listPacks = route({
  method: 'get',
  path: '/v1/packs',
  name: 'listPacks',
  about: 'Receipts, newest first.',
  query: packsQuery,
  answer: listOf(receiptSummary),
  example: '/v1/packs?session=my-session&failed=true',
})

/** Route `GET /v1/packs/{id}`: one whole receipt. */
export const showPack = route({
  method: 'get',
  path: '/v1/packs/{id}',
  name: 'showPack',
  about: 'A receipt, whole: enough to compile it again, unless content is not recorded.',
  more: id,
  answer: receipt,
  example: '/v1/packs/req_0123',
  errors: ['not-found'],
})

export const showPackSummary = route({
  method: 'get',
  path: '/v1/packs/{id}/summary',
  name: 'showPackSummary',
  about: 'A receipt without what is long: its figures, how it ended, and which requests stand beside it.',
  more: id,
  answer: packSummary,
  example: '/v1/packs/req_0123/summary',
  errors: ['not-found'],
})

export const decisionsQuery = z.strictObject({ limit: limit(500, 5000), cursor })

export const listDecisions = route({
  method: 'get',
  path: '/v1/packs/{id}/decisions',
  name: 'listDecisions',
  about: 'Of every item: as what it was shown, why, and what that took; in the order of the receipt.',
  query: decisionsQuery,
  answer: listOf(namedDecision),
  example: '/v1/packs/req_0123/decisions?limit=1000',
  errors: ['not-found'],
})

export const viewQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(5000).optional().describe('How many items. Default: all.'),
  cursor,
  show: z.enum(shownChoices).optional().describe('Only what was shortened or left out, or only calls and results.'),
})

export const viewPack = route({
  method: 'get',
  path: '/v1/packs/{id}/view',
  name: 'viewPack',
  about:
    'What the model saw, item by item, and of everything shortened what it came as; with reasons, rungs, tokens and handles.',
  more: `${id} Where content is not recorded, \`whyNot\` says so and the texts are null.`,
  query: viewQuery,
  answer: packView,
  example: '/v1/packs/req_0123/view',
  errors: ['not-found'],
})

export const comparePack = route({
  method: 'get',
  path: '/v1/packs/{id}/difference',
  name: 'comparePack',
  about:
    'What was sent otherwise than in the request before: added, changed, moved, removed, and where the beginning that a cache holds ends.',
  query: differenceQuery,
  answer: packDifference,
  example: '/v1/packs/req_0123/difference',
  errors: ['not-found'],
})

export const comparisonQuery = z.strictObject({
  policy: name.describe('Its name, or `REPLAY:B` for the second policy of a replay.'),
  against: name.optional().describe('Another, named alike. Default: the policies by which its session was packed.'),
  from: z
    .enum(comparedFrom)
    .default('session')
    .describe('Since when each is in force: since the session began, or since this request.'),
  only: z.enum(['otherwise']).optional().describe('Only what they show otherwise.'),
  limit: limit(100, 5000),
  cursor,
})

export const comparePolicies = route({
  method: 'get',
  path: '/v1/packs/{id}/comparison',
  name: 'comparePolicies',
  about: 'One request under two policies, side by side, what they show otherwise first.',
  more: 'Each packs the recorded requests of the session again, up to this one, at the times at which they came, and both are billed by the same rules. What a model fetched back stands in the conversation for both.',
  query: comparisonQuery,
  answer: packComparison,
  example: '/v1/packs/req_0123/comparison?policy=thrifty',
  errors: ['not-found', 'beyond-limits', 'unavailable'],
})

export const showBytes = route({
  method: 'get',
  path: '/v1/packs/{id}/bytes',
  name: 'showBytes',
  about:
    'The body of the client and the body sent upstream. The second is compiled again and checked against its hash.',
  answer: packBytes,
  example: '/v1/packs/req_0123/bytes',
  errors: ['not-found'],
})

export const copyQuery = z.strictObject({
  as: z.enum(copyKinds).describe('A command for a shell, a `prehend.compile/1` document, or a test.'),
})

export const copyPack = route({
  method: 'get',
  path: '/v1/packs/{id}/copy',
  name: 'copyPack',
  about: 'The request as something to take along.',
  query: copyQuery,
  media: 'text/plain',
  example: '/v1/packs/req_0123/copy?as=curl',
  errors: ['not-found'],
})

export const verifyPack = route({
  method: 'post',
  path: '/v1/packs/{id}/verify',
  name: 'verifyPack',
  scope: 'read',
  about: 'Compiles a receipt again, writes its bodies again, and compares: decisions, bytes, hidden rounds.',
  answer: verification,
  example: '/v1/packs/req_0123/verify',
  errors: ['not-found'],
})
