import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { PrehendError, errorPlaces, invalidInput } from '../../core/index.ts'
import { codecFor } from '../../codecs/index.ts'
import { withinDeadline } from '../../sessions/index.ts'
import type { Authenticate } from '../http/authenticate.ts'
import type { Compile } from './compile-route.ts'
import { statusOf, tracedCompile } from './traced-compile.ts'
import { eventStream } from './event-stream.ts'
import { addInspectorPage } from './inspector-page.ts'
import { addPolicyRoutes } from './policy-routes.ts'
import type { ServingParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'
import { bodyText, discardBody, readBody, requirePlain } from '../http/read-body.ts'
import { idHeaders, toPrehendError } from '../http/respond.ts'
import { dialectOf } from '../http/routes.ts'
import { noteTurnedAway } from '../telemetry/turned-away.ts'

export type ManagementApp = Hono<{ Bindings: HttpBindings }>

export interface AppOptions {
  readonly authenticate: Authenticate
  readonly compile: Compile
}

/** Everything but the model routes: receipts, models, health, metrics. */
export function managementApp(parts: ServingParts, { authenticate, compile }: AppOptions): ManagementApp {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const tenantOf = (c: Context): string => authenticate(Object.fromEntries(c.req.raw.headers))
  const { store, metrics, config, drain } = parts
  const bodyOf = async (c: Context<{ Bindings: HttpBindings }>, tenant: string): Promise<string> => {
    const { incoming } = c.env
    try {
      requirePlain(incoming.headers)
      return bodyText(await readBody(incoming, settingsFor(config, tenant).limits.bodyBytes))
    } catch (error) {
      await discardBody(incoming)
      throw error
    }
  }

  app.get('/health/liveness', (c) => c.json({ status: 'ok' }))

  app.get('/health/readiness', async (c) => {
    if (drain.hasBegun) return c.json({ status: 'stopping' }, 503)
    try {
      await withinDeadline(store.ping(), config.limits.stageMs)
      return c.json({ status: 'ok', store: 'ok' })
    } catch {
      return c.json({ status: 'unavailable', store: 'failed' }, 503)
    }
  })

  app.get('/metrics', async (c) => {
    tenantOf(c)
    return c.text(await metrics.registry.metrics(), 200, { 'content-type': metrics.registry.contentType })
  })

  app.post('/v1/compile', async (c) => {
    const tenant = tenantOf(c)
    const body = await bodyOf(c, tenant)
    const session = c.req.header('x-session-id')?.slice(0, 256) ?? 'compile'
    const context = { traceparent: c.req.header('traceparent'), tracestate: c.req.header('tracestate') }
    const answer = await tracedCompile(parts.tracing, context, (isTraced) =>
      compile({ tenant, session, requestId: parts.newId(), body, isTraced }),
    )
    if (!answer.isFiled) c.header('x-prehend-skipped', 'store')
    return c.body(answer.json, statusOf(answer), { 'content-type': 'application/json' })
  })

  addPackRoutes(app, parts, tenantOf)
  addPolicyRoutes(app, parts, tenantOf)
  addEventRoute(app, parts, tenantOf)
  if (parts.inspector) addInspectorPage(app, parts.inspector)

  app.notFound(() => {
    throw notFound('route', routes)
  })

  app.onError((error, c) => {
    const known = toPrehendError(error)
    const requestId = parts.newId()
    const { incoming } = c.env
    if (known.code === 'internal') parts.logger.error('internal', { requestId, reason: error.name })
    if (isNoRoute(known)) noteTurnedAway(parts, { requestId, method: c.req.method, path: c.req.path, code: known.code })
    const codec = codecFor(dialectOf(incoming))
    const body = codec.encodeError(known, requestId)
    const headers = { 'content-type': 'application/json', ...(idHeaders(codec, requestId) as Record<string, string>) }
    return c.body(body, errorPlaces[known.code].httpStatus as ContentfulStatusCode, headers)
  })

  return app
}

type TenantOf = (c: Context) => string

/** What happens, as it happens. */
function addEventRoute(app: ManagementApp, parts: ServingParts, tenantOf: TenantOf): void {
  app.get('/v1/events', (c) => {
    const tenant = tenantOf(c)
    const { session, last } = c.req.query()
    const types = (c.req.queries('type') ?? []).flatMap((each) => each.split(',')).filter((each) => each !== '')
    const lastId = c.req.header('last-event-id') ?? last
    const stream = eventStream(parts.events, { tenant, session, types, lastId, heartbeatMs: 15_000 })
    return c.body(stream, 200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  })
}

/** Receipts: the newest, and one by its id; sessions, and what they have cost. */
function addPackRoutes(app: ManagementApp, { store }: ServingParts, tenantOf: TenantOf): void {
  app.get('/v1/packs', async (c) => {
    const tenant = tenantOf(c)
    const { session } = c.req.query()
    const limit = wholeNumber(c, 'limit', { least: 1, most: 1000 }) ?? 50
    const before = wholeNumber(c, 'before', { least: 0, most: Number.MAX_SAFE_INTEGER })
    const packs = await store.receipts(tenant, {
      limit,
      ...(before !== undefined && { before }),
      ...(session !== undefined && { session }),
    })
    return c.json({ object: 'list', data: packs })
  })

  app.get('/v1/sessions', async (c) => {
    const tenant = tenantOf(c)
    const limit = wholeNumber(c, 'limit', { least: 1, most: 1000 }) ?? 50
    const { session } = c.req.query()
    const data = await store.sessions(tenant, { limit, ...(session !== undefined && { session }) })
    return c.json({ object: 'list', data })
  })

  app.get('/v1/packs/:id', async (c) => {
    const receipt = await store.receipt(tenantOf(c), c.req.param('id'))
    if (!receipt) throw notFound('pack', 'List them with GET /v1/packs.')
    return c.json(receipt)
  })
}

function wholeNumber(c: Context, name: string, { least, most }: { least: number; most: number }): number | undefined {
  const text = c.req.query(name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw invalidInput(name, `is not a whole number from ${least} to ${most}`, 'Correct it or leave it out.')
}

function notFound(what: string, remedy: string): PrehendError {
  return new PrehendError('not-found', `There is no such ${what}. ${remedy}`, { what, remedy })
}

function isNoRoute({ code, data }: PrehendError): boolean {
  return code === 'not-found' && 'what' in data && data.what === 'route'
}

const routes =
  'There are POST /v1/chat/completions, /v1/messages, /v1/messages/count_tokens, /v1beta/models/{model}:generateContent and /v1/compile, and GET /v1/models, ' +
  '/v1/packs, /v1/packs/{id}, /v1/sessions, /v1/events, /v1/policies, /v1/policies/{id}, /health/liveness, /health/readiness and /metrics; what else lies below /v1 or /v1beta goes to its ' +
  'provider. The base URL of an OpenAI client ends in /v1.'
