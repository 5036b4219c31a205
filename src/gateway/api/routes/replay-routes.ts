import { z } from 'zod'
import { route } from '../route.ts'
import { atMs, count, cursor, limit, listOf, name, tokens, usd } from '../schemas/parts.ts'

const share = z.number().nullable()

const bill = z.strictObject({
  tokens,
  cachedTokens: tokens,
  cost: z.number().describe('In plain input tokens.'),
  unpacked: z.string().nullable().describe('Why it was sent unchanged; null if it was packed.'),
})

const figures = z
  .strictObject({
    policy: z.string(),
    tokens,
    cachedTokens: tokens,
    cost: z.number().describe('In plain input tokens.'),
    dollars: usd.nullable(),
    breaks: count,
    needleRecall: share.describe(
      'Of what later steps used out of tool output, the share that still stood; null where there is none.',
    ),
    editTextRecall: share.describe('Of edits that quote what was read, the share of which every line still stood.'),
    settledCost: z
      .number()
      .nullable()
      .describe('With every missing line of tool output that a step needed brought back.'),
    rehydrations: count.nullable(),
  })
  .meta({ id: 'ReplayedFigures' })

const session = z.strictObject({
  session: z.string(),
  lane: z.string(),
  provider: z.string().describe('Whose prices and cache rules it was billed by.'),
  requests: count,
  passThrough: figures,
  policies: z.array(figures),
})

const replay = z
  .strictObject({
    id: z.string(),
    state: z.enum(['running', 'done', 'failed', 'cancelled']),
    startedMs: atMs,
    endedMs: atMs.nullable(),
    policies: z.array(z.string()).describe('A, B and so on.'),
    asked: z.array(z.string()).describe('Sessions, and `trace`.'),
    progress: z.strictObject({ done: count, of: count, session: z.string().nullable() }),
    unrecorded: count.describe(
      'Requests of the sessions that could not be replayed, since their content is not recorded.',
    ),
    error: z.string().nullable(),
    provider: z
      .string()
      .nullable()
      .describe('Whose prices and cache rules it was billed by; those of several models one after the other.'),
  })
  .meta({ id: 'Replay' })

const totals = z.strictObject({
  name: z.string(),
  tokens,
  cost: z
    .number()
    .describe('In plain input tokens of the first session’s model: sessions of other models count by their dollars.'),
  costRatio: share.describe('Against pass-through, input alone.'),
  billDollars: usd.nullable().describe('With the recorded answers in it.'),
  billRatio: share.describe('The same against pass-through.'),
  dollars: usd.nullable(),
  cachedShare: share,
  breaks: count,
  settledCostRatio: share.describe('With every missing line of tool output that a step needed brought back.'),
  worstTraceCostRatio: share,
  needleRecall: share,
  editTextRecall: share,
  failuresHidden: count,
  unpacked: z.record(z.string(), count),
})

export const startReplay = route({
  method: 'post',
  path: '/v1/replays',
  name: 'startReplay',
  scope: 'read',
  about: 'Sends recorded sessions, or a trace, again in full and by each of some policies, in the background.',
  more: 'On a thread of its own; one at a time for a tenant, for half an hour at most. Kept until the process ends, the last twenty.',
  body: z
    .strictObject({
      sessions: z.array(name).max(100).default([]).describe('The first thousand requests of each.'),
      trace: z.string().max(64_000_000).optional().describe('JSON lines, as `prehend replay` reads them.'),
      policies: z
        .array(z.union([name, z.looseObject({})]))
        .min(1)
        .max(4)
        .describe('Names, or policies written out.'),
      model: name
        .optional()
        .describe(
          'Whose prices and cache rules. Unless told, those of the model that each session asked for; the plain rule where they are not known.',
        ),
      windowTokens: z.number().int().min(1).max(100_000_000).optional().describe('Default: a million.'),
    })
    .meta({ id: 'ReplayWish' }),
  answer: replay,
  status: 202,
  example: '/v1/replays',
  errors: ['conflict', 'unavailable', 'not-found'],
})

export const listReplays = route({
  method: 'get',
  path: '/v1/replays',
  name: 'listReplays',
  about: 'Your replays, the newest first.',
  answer: listOf(replay),
  example: '/v1/replays',
})

export const showReplay = route({
  method: 'get',
  path: '/v1/replays/{id}',
  name: 'showReplay',
  about: 'How far a replay is, and what it has found so far, session by session.',
  answer: z
    .strictObject({ ...replay.shape, totals: z.array(totals), sessions: z.array(session) })
    .meta({ id: 'ReplayReport' }),
  example: '/v1/replays/rpl_0123',
  errors: ['not-found'],
})

export const replayedQuery = z.strictObject({
  session: name.describe('As the replay calls it.'),
  lane: z.string().max(500).optional().describe('Which of its conversations. Default: the first.'),
  limit: limit(500, 2000),
  cursor,
})

export const listReplayed = route({
  method: 'get',
  path: '/v1/replays/{id}/requests',
  name: 'listReplayed',
  about: 'One session of a replay, request by request: in full, and by each policy.',
  query: replayedQuery,
  answer: listOf(
    z
      .strictObject({ requestId: z.string(), passThrough: bill, policies: z.array(bill) })
      .meta({ id: 'ReplayedRequest' }),
  ),
  example: '/v1/replays/rpl_0123/requests?session=my-session',
  errors: ['not-found'],
})

export const cancelReplay = route({
  method: 'delete',
  path: '/v1/replays/{id}',
  name: 'cancelReplay',
  scope: 'read',
  about: 'Ends a replay that runs; what it has found stays.',
  answer: replay,
  example: '/v1/replays/rpl_0123',
  errors: ['not-found'],
})
