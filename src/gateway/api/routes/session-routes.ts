import { z } from 'zod'
import { mostNoteChars, mostPins } from '../../../sessions/index.ts'
import { compactionSettings } from '../../compaction-settings.ts'
import { route } from '../route.ts'
import { briefing, compactionResult } from '../schemas/compaction.ts'
import { fetched, mediaContent } from '../schemas/receipts.ts'
import { cursor, limit, listOf, name, tokens } from '../schemas/parts.ts'
import { sessionOutline } from '../schemas/outline.ts'
import { sessionDetail, sessionSummary, timelineEntry } from '../schemas/sessions.ts'
import { turnLog } from '../schemas/turns.ts'

export const sessionsQuery = z.strictObject({
  limit: limit(50),
  cursor,
  session: name.optional().describe('Only the one of this name.'),
})

export const timelineQuery = z.strictObject({
  limit: limit(500, 2000),
  cursor,
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Only what came after the one with this sequence number; `soFar` is then of these.'),
  lane: name.optional().describe('Only the conversation of this name; `soFar` is then of this one.'),
})

export const sessionQuery = z.strictObject({
  tree: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'true: `tree` has the cost of the session and of all that it was handed over to, or that name it as their parent.',
    ),
})

export const outlineQuery = z.strictObject({
  lane: name.optional().describe('`pages` are of this conversation; all else is of the session.'),
})

/** Route `GET /v1/sessions`: sessions with their costs, the last used first. */
export const listSessions = route({
  method: 'get',
  path: '/v1/sessions',
  name: 'listSessions',
  about: 'Sessions, last used first: what each cost, and what it would have cost sent in other ways.',
  more: 'A session that is used between two pages moves to the front; it is not listed twice.',
  query: sessionsQuery,
  answer: listOf(sessionSummary),
  example: '/v1/sessions?limit=20',
})

export const showSession = route({
  method: 'get',
  path: '/v1/sessions/{session}',
  name: 'showSession',
  about:
    'One session: its conversations, its epochs with cause, price and whether they paid back, every break of its cache.',
  query: sessionQuery,
  answer: sessionDetail,
  example: '/v1/sessions/my-session?tree=true',
  errors: ['not-found'],
})

export const showTimeline = route({
  method: 'get',
  path: '/v1/sessions/{session}/timeline',
  name: 'showTimeline',
  about:
    'The requests of a session, the oldest first: tokens by section, cached and not, epochs, breaks, and money so far.',
  query: timelineQuery,
  answer: listOf(timelineEntry),
  example: '/v1/sessions/my-session/timeline?limit=500',
  errors: ['not-found'],
})

export const showOutline = route({
  method: 'get',
  path: '/v1/sessions/{session}/outline',
  name: 'showOutline',
  about:
    'What a session of any length comes to, and where each of its requests stands, without the requests themselves.',
  query: outlineQuery,
  answer: sessionOutline,
  example: '/v1/sessions/my-session/outline',
  errors: ['not-found'],
})

export const turnsQuery = z.strictObject({
  lane: name.optional().describe('Which conversation of the session. Default: the one that was used last.'),
  from: z.coerce.number().int().min(1).optional().describe('The first turn.'),
  to: z.coerce.number().int().min(1).optional().describe('The last turn.'),
  q: name
    .optional()
    .describe(
      'Words to find in all conversations of the session: each turn then holds one item that says them, the best first.',
    ),
  limit: limit(100),
})

/** Route `GET /v1/sessions/{session}/turns`: what each request added to its conversation. */
export const showTurns = route({
  method: 'get',
  path: '/v1/sessions/{session}/turns',
  name: 'showTurns',
  about: 'The log of a session: what each request added to its conversation, as the client sent it.',
  more: 'It outlives receipts, and holds what the client has dropped since. The last answer of the model is in it once the next request has sent it. Without recorded content, turns have no items.',
  query: turnsQuery,
  answer: turnLog,
  example: '/v1/sessions/my-session/turns?q=deadline',
  errors: ['not-found'],
})

export const rehydrate = route({
  method: 'post',
  path: '/v1/sessions/{session}/rehydrate',
  name: 'rehydrate',
  scope: 'read',
  about: 'What was left out of a session, by its handle or by its topic, in the words in which a model gets it.',
  more: '404 with the same answer where nothing is found.',
  body: z.strictObject({
    handle: z.string().exactOptional().describe('As it stands in [brackets].'),
    lines: z.string().exactOptional().describe('Of it: `57-90`, or words.'),
    about: z.string().exactOptional().describe('What it is about, where no handle is known.'),
  }),
  answer: z
    .strictObject({
      found: z.boolean(),
      text: z.string(),
      fetched: z.array(fetched),
      media: mediaContent.exactOptional(),
    })
    .meta({ id: 'Rehydrated' }),
  example: '/v1/sessions/my-session/rehydrate',
  errors: ['not-found'],
})

export const showCompaction = route({
  method: 'get',
  path: '/v1/sessions/{session}/compaction',
  name: 'showCompaction',
  about: 'When a session is compacted, and how: its own settings over those of its tenant, member by member.',
  more: "A session that no request has named yet has its tenant's settings.",
  answer: z
    .strictObject({
      sessionId: z.string(),
      compaction: compactionSettings.describe('The settings in force; a request may override them.'),
      own: compactionSettings.describe('The settings of the session itself, as PUT takes them.'),
    })
    .meta({ id: 'SessionCompactionInForce' }),
  example: '/v1/sessions/my-session/compaction',
})

export const setCompaction = route({
  method: 'put',
  path: '/v1/sessions/{session}/compaction',
  name: 'setCompaction',
  readsToo: true,
  about: 'When a session is compacted, and how: in place of what its tenant has, member by member; `{}` takes it back.',
  more: 'A session that no request has named yet has it from its first request on.',
  body: compactionSettings,
  answer: z.strictObject({ sessionId: z.string(), compaction: compactionSettings }).meta({ id: 'SessionCompaction' }),
  example: '/v1/sessions/my-session/compaction',
})

const steering = z
  .strictObject({
    sessionId: z.string(),
    note: z.string().nullable().describe('The text that the next request adds; null where there is no note.'),
    pins: z
      .array(
        z.strictObject({
          itemId: z.string(),
          name: z
            .string()
            .nullable()
            .describe('In the newest request; null where it has no such item, or content is not recorded.'),
        }),
      )
      .describe('Items that stay whole.'),
  })
  .meta({ id: 'Steering' })

export const showSteering = route({
  method: 'get',
  path: '/v1/sessions/{session}/steering',
  name: 'showSteering',
  about: 'The steering note and the pinned items of a session.',
  answer: steering,
  example: '/v1/sessions/my-session/steering',
})

const pinnedIds = z.array(z.string().min(1).max(500)).max(mostPins)

export const steer = route({
  method: 'post',
  path: '/v1/sessions/{session}/steering',
  name: 'steer',
  readsToo: true,
  about: 'Sets or removes the steering note of a session, and pins or unpins items, from its next request on.',
  more: 'The note is added behind the newest message of the next request and stays there; after its removal, the next request says once that it is withdrawn. A pinned item stays whole; if it was shortened before, the next request shows it whole again, which begins an epoch. Where pinned items do not fit into the window, the request is packed without pins.',
  body: z.strictObject({
    note: z
      .string()
      .trim()
      .min(1)
      .max(mostNoteChars)
      .refine((note) => note.isWellFormed() && !note.includes('\0'), 'has half a character or a NUL in it')
      .nullable()
      .exactOptional()
      .describe('Null removes the note.'),
    pin: pinnedIds.exactOptional().describe('Ids of items, as a receipt names them.'),
    unpin: pinnedIds.exactOptional(),
  }),
  answer: steering,
  example: '/v1/sessions/my-session/steering',
  errors: ['conflict'],
})

/** Route `POST /v1/sessions/{session}/compact`: compacts a session with its next request. */
export const compactNow = route({
  method: 'post',
  path: '/v1/sessions/{session}/compact',
  name: 'compactNow',
  readsToo: true,
  about: 'Compacts a session: old messages become a brief in its next request, with the figures of its last one.',
  more: 'A second request with the same `idempotency-key` gets the first answer. 409 while a request of the session is under way for more than 5 seconds.',
  body: compactionSettings.omit({ trigger: true }),
  mayBeEmpty: true,
  answer: compactionResult,
  example: '/v1/sessions/my-session/compact',
  errors: ['not-found', 'conflict'],
})

/** Route `POST /v1/sessions/{session}/handoff`: begins a new session with a briefing of this one. */
export const handOver = route({
  method: 'post',
  path: '/v1/sessions/{session}/handoff',
  name: 'handOver',
  readsToo: true,
  about:
    'Begins a new session with a briefing of this one, which stays as it is: a client goes on by naming the new one.',
  more: 'A second request with the same `idempotency-key` gets the first answer. 502 where the model that writes briefings fails, 422 where what it writes cannot be used even after one repair; no session is begun then.',
  body: compactionSettings.pick({ summaryBudget: true, customInstructions: true }),
  mayBeEmpty: true,
  status: 201,
  answer: z
    .strictObject({
      sessionId: z.string(),
      parentId: z.string(),
      briefing,
      tokensBefore: tokens.describe('What the last request of the session took.'),
      tokensAfter: tokens.describe('What the briefing takes.'),
    })
    .meta({ id: 'Handoff' }),
  example: '/v1/sessions/my-session/handoff',
  errors: ['not-found', 'conflict', 'handoff-invalid', 'handoff-failed'],
})
