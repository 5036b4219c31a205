import { z } from 'zod'
import { route } from '../route.ts'
import { atMs, count, limit, name } from '../schemas/parts.ts'
import { statistics, statisticsQuery } from '../schemas/statistics.ts'

export const showStatistics = route({
  method: 'get',
  path: '/v1/stats',
  name: 'showStatistics',
  figures: true,
  about: 'What requests have come to: money spent and saved, tokens, cache share, errors, hidden rounds, own latency.',
  more: 'Counted by hours as requests end, so that a month is read as fast as a day, and kept when receipts are gone. Each request is counted in the hour in which it came.',
  query: statisticsQuery,
  answer: statistics,
  example: '/v1/stats?by=day,model&since=2026-11-01T00:00:00Z',
})

export const searchQuery = z.strictObject({
  q: z
    .string()
    .min(1)
    .max(200)
    .describe(
      'Sessions whose name or first words of the user hold it; ids and handles that begin so; words of prompts, results and answers.',
    ),
  session: name.optional().describe('Search the items of its last request, too, by id, tool and text.'),
  limit: limit(20, 100),
})

const found = { session: z.string() }

export const search = route({
  method: 'get',
  path: '/v1/search',
  name: 'search',
  about: 'Sessions, requests, handles, and recorded texts: prompts, results and answers.',
  more: 'Texts are searched in the 100 conversations that were used last. The newest answer of a model is found once the next request has sent it. The first search indexes them.',
  query: searchQuery,
  answer: z
    .strictObject({
      sessions: z.array(z.strictObject({ ...found, usedMs: atMs })),
      receipts: z.array(z.strictObject({ ...found, requestId: z.string(), packId: z.string(), createdMs: atMs })),
      handles: z.array(z.strictObject({ ...found, handle: z.string() })),
      texts: z
        .array(
          z.strictObject({
            ...found,
            requestId: z.string().nullable().describe('The request that brought it; null where its receipt is gone.'),
            itemId: z.string(),
            name: z.string(),
            kind: z.string(),
            createdMs: atMs,
            excerpt: z.string().describe('Of the text, around the words that were found.'),
          }),
        )
        .describe('Items that say some of the words, the best first.'),
      whyNoTexts: z.string().nullable().describe('Why texts of new requests cannot be found.'),
      items: z.array(
        z.strictObject({
          ...found,
          requestId: z.string(),
          itemId: z.string(),
          toolName: z.string().nullable(),
          excerpt: z.string().describe('Of its text, around where it was found.'),
        }),
      ),
    })
    .meta({ id: 'SearchResult' }),
  example: '/v1/search?q=release',
})

const jobCounts = {
  waiting: count,
  running: count,
  done: count,
  failed: count.describe('After the last retry.'),
  dropped: count.describe('Without room, or at the end of the gateway or its thread.'),
  cancelled: count.describe('No longer needed.'),
  elsewhere: count.describe('Left to another process, which held the lease.'),
}

const state = z.enum(['ok', 'warning', 'failed'])

export const showHealth = route({
  method: 'get',
  path: '/v1/health',
  name: 'showHealth',
  figures: true,
  monitored: true,
  about:
    'How this gateway is: its store, its requests, whether compiles failed lately, what is recorded, what is out of date.',
  more: 'No request is sent to upstreams: their state is taken from earlier requests.',
  answer: z
    .strictObject({
      state: state.describe('The worst of all checks.'),
      startedMs: atMs,
      underway: count.describe('Requests that have no whole answer yet: yours, or all for an operator.'),
      mode: z.enum(['on', 'observe', 'off']),
      record: z.enum(['content', 'receipts']),
      policy: z.string(),
      checks: z.array(
        z.strictObject({ name: z.string(), state, about: z.string(), remedy: z.string().exactOptional() }),
      ),
      jobs: z
        .array(z.strictObject({ kind: z.string(), ...jobCounts }))
        .describe('Background work by kind, since the start; for operators only.'),
      upstreams: z.array(
        z.strictObject({
          name: z.string(),
          dialects: z.array(z.string()),
          address: z.string().nullable(),
          credentials: z.enum(['key', 'of-clients', 'none']),
        }),
      ),
    })
    .meta({ id: 'Health' }),
  example: '/v1/health',
})
