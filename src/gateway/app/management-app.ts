import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { PrehendError, didYouMean, errorPlaces, sessionEventTypes, invalidInput } from '../../core/index.ts'
import { storedSessionName } from '../../sessions/index.ts'
import { addressReader } from '../access/client-address.ts'
import { allowHeader, idHeaders, toPrehendError, whenAgain } from '../outlet/respond.ts'
import { dialectOf } from '../http/routes.ts'
import { methodNotAllowed } from '../api/answers/method-not-allowed.ts'
import { notFound } from '../api/answers/not-found.ts'
import { rehydrate } from '../api/routes/session-routes.ts'
import { listEvents, compileDocument } from '../api/routes/system-routes.ts'
import { serveOther } from '../api/serve-route.ts'
import type { RouteHost, Served } from '../api/serve-route.ts'
import { addExtensionRoutes } from '../extensions/extension-routes.ts'
import type { ServingParts } from '../parts.ts'
import { loggedPath, noteTurnedAway } from '../telemetry/turned-away.ts'
import type { Compile } from './compile-route.ts'
import { isPlannedPath } from '../api/own-paths.ts'
import { addArtifactRoutes } from './artifact-routes.ts'
import { addCompactionRoutes } from './compaction-routes.ts'
import { addSteeringRoutes } from './steering-routes.ts'
import { eventStream, missedType } from './event-stream.ts'
import { addHealthRoutes } from './health-routes.ts'
import { addInspectorPage } from './inspector-page.ts'
import { addInspectorRoutes } from './inspector-routes.ts'
import { addKeyRoutes } from './key-routes.ts'
import { routeHost } from './route-host.ts'
import type { RouteHostOptions } from './route-host.ts'
import { rehydrateRoute } from './rehydrate-route.ts'
import { addToolRoutes } from './tool-routes.ts'
import { statusOf, tracedCompile } from './traced-compile.ts'

export type ManagementApp = Hono<{ Bindings: HttpBindings }>

export interface AppOptions extends RouteHostOptions {
  readonly compile: Compile
}

/** What is told here may hold what was said to a model: no browser is to keep it, or to take it for something else. */
const unkept = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/** Everything but the model routes, each as it is stated in `api/routes`. */
export function managementApp(parts: ServingParts, options: AppOptions): ManagementApp {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const { host, left } = routeHost(app, parts, options)
  app.use('*', async (c, next) => {
    await next().finally(() => left(c.env.incoming))
    // The page itself holds nothing that was said, and says how long it may be kept.
    if (c.res.headers.has('cache-control')) return
    for (const [name, value] of Object.entries(unkept)) c.res.headers.set(name, value)
  })
  if (parts.inspector) addInspectorPage(app, { page: parts.inspector, opened: () => parts.readings.expect() })
  addHealthRoutes(host, parts)
  addCompileRoute(host, parts, options.compile)
  addEventRoute(host, parts)
  addRehydrateRoute(host, parts)
  addCompactionRoutes(host, parts)
  addSteeringRoutes(host, parts)
  addInspectorRoutes(host, parts)
  addKeyRoutes(host, parts)
  addArtifactRoutes(host, parts)
  addToolRoutes(host, parts)
  addExtensionRoutes(host, parts.extensions)
  addRefusals(app, parts)
  return app
}

/** Answers with the text that the compile has written, which is long. */
function addCompileRoute(host: RouteHost, parts: ServingParts, compile: Compile): void {
  serveOther(host, compileDocument, async ({ tenant }, c) => {
    const body = await host.bodyOf(c, tenant)
    const session = storedSessionName(c.req.header('x-session-id') ?? 'compile')
    const context = { traceparent: c.req.header('traceparent'), tracestate: c.req.header('tracestate') }
    const answer = await tracedCompile(parts.tracing, context, (isTraced) =>
      compile({ tenant, session, requestId: parts.newId(), body, isTraced }),
    )
    if (!answer.isFiled) c.header('x-prehend-skipped', 'store')
    return c.body(answer.json, statusOf(answer), { 'content-type': 'application/json' })
  })
}

/** What happens, as it happens. */
function addEventRoute(host: RouteHost, { events }: ServingParts): void {
  serveOther(host, listEvents, ({ tenant, query: { session, last, type = '' } }, c) => {
    const types = type.split(',').filter((each) => each !== '')
    for (const each of types) requireEventType(each)
    const lastId = c.req.header('last-event-id') ?? last
    const stream = eventStream(events, { tenant, session, types, lastId, heartbeatMs: 15_000 })
    return c.body(stream, 200, { 'content-type': 'text/event-stream' })
  })
}

/** A type that nothing has would be waited for in vain. */
function requireEventType(type: string): void {
  if ([...sessionEventTypes, missedType].includes(type)) return
  const remedy = `${didYouMean(type, sessionEventTypes)}There are ${sessionEventTypes.join(', ')}.`
  throw invalidInput('type', `${type} is no type of event`, remedy)
}

/** What was left out of a session. */
function addRehydrateRoute(host: RouteHost, parts: ServingParts): void {
  serveOther(host, rehydrate, async ({ tenant, params: { session = '' }, body }, c) => {
    const answer = await rehydrateRoute(parts, { tenant, session, asked: body })
    return c.json(answer, answer.found ? 200 : 404)
  })
}

function addRefusals(app: ManagementApp, parts: ServingParts): void {
  const refuse = (c: Served): never => {
    if (isPlannedPath(c.req.path)) throw notImplemented(c.req.path)
    throw methodNotAllowed(c.req.path) ?? notFound('route', routes)
  }
  app.all('*', refuse)
  // For whoever answers a route and finds nothing.
  app.notFound(refuse)

  app.onError((error, c) => {
    const known = toPrehendError(error)
    const requestId = parts.newId()
    const { incoming } = c.env
    const from = addressReader(parts.config)(incoming)
    if (known.code === 'internal') parts.logger.error('internal', { requestId, reason: error.name })
    if (known.code === 'unauthorized' || known.code === 'forbidden') {
      parts.logger.info('refused', { requestId, code: known.code, path: loggedPath(c.req.path), from })
    }
    if (isUnserved(known))
      noteTurnedAway(parts, { requestId, method: c.req.method, path: c.req.path, code: known.code, from })
    const codec = parts.dialects.for(dialectOf(incoming, parts.dialects))
    const body = codec.encodeError(known, requestId)
    const headers = {
      'content-type': 'application/json',
      ...(idHeaders(codec, requestId) as Record<string, string>),
      ...allowHeader(known),
      ...whenAgain(known),
    }
    return c.body(body, errorPlaces[known.code].httpStatus as ContentfulStatusCode, headers)
  })
}

/** Whether no route of ours is what was asked for. */
function isUnserved({ code, data }: PrehendError): boolean {
  return code === 'method-not-allowed' || (code === 'not-found' && 'what' in data && data.what === 'route')
}

const routes =
  'The base URL of an OpenAI client ends in /v1; that of an Anthropic or Google client ends behind the port. All routes: GET /openapi.json, or prehend help --http.'

function notImplemented(path: string): PrehendError<'not-implemented'> {
  const remedy = 'GET /openapi.json lists the routes that it has. Nothing was sent to a provider.'
  return new PrehendError('not-implemented', `This version of Prehend does not have ${path} yet. ${remedy}`, { remedy })
}
