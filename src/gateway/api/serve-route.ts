import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { invalidInput, parseJson } from '../../core/index.ts'
import type { Principal, PrincipalScope } from '../../core/index.ts'
import { storedSessionName } from '../../sessions/index.ts'
import { requireScope } from '../keys/require-scope.ts'
import { requireKnownHeaders } from '../exchange/request-situation.ts'
import { zodRefusal } from '../zod-refusal.ts'
import { scopesOf } from './route.ts'
import type { Answered, Asked, Route } from './route.ts'

export type Served = Context<{ Bindings: HttpBindings }>

/** What serving a route needs of its host. */
export interface RouteHost {
  readonly app: Hono<{ Bindings: HttpBindings }>
  /** Rejects with `unauthorized`, and with `forbidden` where whoever asks has none of the scopes. */
  principalOf(c: Served, ...scopes: readonly PrincipalScope[]): Promise<Principal>
  bodyOf(c: Served, tenant: string): Promise<string>
  /** The address that asks. */
  addressOf(c: Served): string
}

type AnswerOf<Of> = Of extends z.ZodType ? Answered<z.output<Of>> : never

/** Answers a route in JSON, as it is stated. */
export function serveRoute<Query extends z.ZodObject, Body extends z.ZodType, Answer extends z.ZodType>(
  { app, ...host }: RouteHost,
  stated: Route<Query, Body, Answer>,
  handler: (asked: Asked<Query, Body>, c: Served) => AnswerOf<Answer> | Promise<AnswerOf<Answer>>,
): void {
  app.on(stated.method.toUpperCase(), honoPath(stated.path), async (c) => {
    const asked = await askedOf(stated, c, host)
    return c.json((await handler(asked, c)) as object, (stated.status ?? 200) as ContentfulStatusCode)
  })
}

/** Answers a route that is not answered in JSON. */
export function serveOther<Query extends z.ZodObject, Body extends z.ZodType, Answer extends z.ZodType>(
  { app, ...host }: RouteHost,
  stated: Route<Query, Body, Answer>,
  handler: (asked: Asked<Query, Body>, c: Served) => Response | Promise<Response>,
): void {
  app.on(stated.method.toUpperCase(), honoPath(stated.path), async (c) => {
    return handler(await askedOf(stated, c, host), c)
  })
}

/** Answers a route with what somebody else has written of it: JSON, or text where it is stated so. */
export function serveWritten(
  { app, ...host }: RouteHost,
  stated: Route,
  write: (asked: Asked) => Promise<Uint8Array<ArrayBuffer>>,
): void {
  const type = stated.answer ? 'application/json' : `${stated.media ?? 'text/plain'}; charset=utf-8`
  app.on(stated.method.toUpperCase(), honoPath(stated.path), async (c) => {
    const bytes = await write(await askedOf(stated, c, host))
    return c.body(bytes, (stated.status ?? 200) as ContentfulStatusCode, { 'content-type': type })
  })
}

export function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Who may not ask is told so before anything else. */
async function askedOf<Query extends z.ZodObject, Body extends z.ZodType>(
  stated: Pick<
    Route<Query, Body>,
    'method' | 'query' | 'body' | 'mayBeEmpty' | 'open' | 'scope' | 'figures' | 'monitored' | 'readsToo'
  >,
  c: Served,
  { principalOf, bodyOf, addressOf }: Omit<RouteHost, 'app'>,
): Promise<Asked<Query, Body>> {
  const needed = scopesOf(stated)
  const principal = needed.length === 0 ? nobody : await principalOf(c, ...needed)
  if (stated.readsToo) requireScope(principal, 'read')
  const { tenant, keyId, scopes } = principal
  requireKnownHeaders(c.req.header())
  const query = checkedQuery(stated.query, c)
  const body = stated.body
    ? checked(stated.body, parseJson((await bodyOf(c, tenant)) || (stated.mayBeEmpty ? '{}' : '')), 'body')
    : undefined
  const host = c.req.header('host') ?? '127.0.0.1:8484'
  const asker = { keyId, scopes, from: addressOf(c) }
  return {
    tenant,
    asker,
    host,
    params: withSession(c.req.param()),
    query: withSession(query) as z.output<Query>,
    body: withSession(body) as z.output<Body>,
  }
}

/** The same with its `session` and `sessions` by the names under which they are stored. */
function withSession<Given>(given: Given): Given {
  if (typeof given !== 'object' || given === null) return given
  const { session, sessions } = given as { readonly session?: unknown; readonly sessions?: unknown }
  if (typeof session !== 'string' && !Array.isArray(sessions)) return given
  return {
    ...given,
    ...(typeof session === 'string' && { session: storedSessionName(session) }),
    ...(Array.isArray(sessions) && {
      sessions: sessions.map((name: unknown) => (typeof name === 'string' ? storedSessionName(name) : name)),
    }),
  }
}

/** Who asks a route that is open. */
const nobody: Pick<Principal, 'tenant' | 'keyId' | 'scopes'> = { tenant: '', keyId: '', scopes: [] }

/** What is given more than once is one text with commas between. */
function checkedQuery(shape: z.ZodObject | undefined, c: Served): unknown {
  const given = Object.entries(c.req.queries()).map(([name, all]) => [name, all.join(',')])
  if (shape) return checked(shape, Object.fromEntries(given), '')
  const [unknown] = given[0] ?? []
  if (unknown !== undefined)
    throw invalidInput(unknown, 'is not known', 'Leave it out: there is nothing to be asked here.')
  return {}
}

/** Throws `invalid-input` that names what is wrong. */
function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, at: string): z.output<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw zodRefusal({ schema, value, error: read.error, ...(at !== '' && { at }), whole: 'body' })
}
