import { z } from 'zod'
import { route } from '../route.ts'
import { name } from '../schemas/parts.ts'

export const liveness = route({
  method: 'get',
  path: '/health/liveness',
  name: 'liveness',
  about: 'That the process answers.',
  answer: z.strictObject({ status: z.literal('ok') }),
  example: '/health/liveness',
  open: true,
})

export const readiness = route({
  method: 'get',
  path: '/health/readiness',
  name: 'readiness',
  about:
    'Whether requests are taken: 503 while the gateway stops, and where it would refuse the requests of every tenant.',
  more: 'A gateway whose store or Redis does not answer serves on: `degraded`, with 200. It refuses all requests, and is `unavailable`, where every tenant has a budget that must not be exceeded (`budgets.whenUnavailable`).',
  query: z.strictObject({
    strict: z.enum(['true', 'false']).optional().describe('true: 503 also where the gateway is `degraded`.'),
  }),
  answer: z.strictObject({
    status: z.enum(['ok', 'degraded', 'stopping', 'unavailable']),
    store: z.enum(['ok', 'failed']).exactOptional().describe('Whether the store can be written to.'),
    hot: z.enum(['ok', 'failed']).exactOptional().describe('Whether the server of the hot state (Redis) answers.'),
    storeId: z
      .string()
      .exactOptional()
      .describe('The same for gateways on one store. It does not say where the store is.'),
  }),
  example: '/health/readiness',
  open: true,
})

export const showMetrics = route({
  method: 'get',
  path: '/metrics',
  name: 'showMetrics',
  scope: 'metrics',
  figures: true,
  about: 'Counters of this process, as Prometheus reads them.',
  media: 'text/plain',
  example: '/metrics',
  errors: ['forbidden'],
})

export const eventsQuery = z.strictObject({
  session: name.optional().describe('Only what happens in it.'),
  type: z.string().max(1000).optional().describe('Only these types, with commas between.'),
  last: z.string().max(100).optional().describe('The last id that you have; a `last-event-id` header goes before it.'),
})

export const listEvents = route({
  method: 'get',
  path: '/v1/events',
  name: 'listEvents',
  about: 'What happens to your sessions, as it happens, as server-sent events.',
  query: eventsQuery,
  media: 'text/event-stream',
  example: '/v1/events?type=context:epoch',
})

export const compileDocument = route({
  method: 'post',
  path: '/v1/compile',
  name: 'compileDocument',
  about: 'Compiles a `prehend.compile/1` document, or the body of a request in any dialect, and keeps its receipt.',
  more:
    'The document is described by `docs/compile.schema.json` of the package, and by `prehend help --compile-schema`. ' +
    'A small one: `{ "schema": "prehend.compile/1", "budget": { "windowTokens": 2000, "maxOutputTokens": 500 }, ' +
    '"frame": { "request": "What changed?" }, "items": [' +
    '{ "id": "rule", "kind": "instruction", "section": "policy", "text": "Answer from the evidence." }, ' +
    '{ "id": "log", "kind": "evidence", "section": "evidence", "text": "The build broke on Monday.", ' +
    '"provenance": { "sourceId": "log", "relevanceScore": 0.8 } }] }`. ' +
    '`pack.messages` of the answer has the role and the text of each message to send.',
  // Read by its own reader, which takes bodies of providers, too.
  answer: z
    .looseObject({
      requestId: z.string(),
      manifestUri: z.string().optional().describe('Artifact with the manifest, of a pack for a task.'),
      outcome: z.looseObject({ kind: z.string() }),
      manifest: z.looseObject({ packHash: z.string() }),
    })
    .describe('Outcome, pack, manifest, ledger, events and budget.')
    .meta({ id: 'CompileResult' }),
  example: '/v1/compile',
  errors: ['budget-exhausted', 'security', 'evidence-missing'],
})

export const listExtensions = route({
  method: 'get',
  path: '/v1/extensions',
  name: 'listExtensions',
  about: 'The extensions that are open, and what each adds. Their own routes lie below `/v1/extensions/{name}`.',
  answer: z.strictObject({
    extensions: z.array(
      z.strictObject({
        name: z.string(),
        adds: z.array(z.string()).describe('The kinds of what it gives, such as `layers` and `routes`.'),
      }),
    ),
  }),
  example: '/v1/extensions',
})

export const showDocument = route({
  method: 'get',
  path: '/openapi.json',
  name: 'showDocument',
  about: 'This document.',
  answer: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
  example: '/openapi.json',
  open: true,
})
