import { PrehendError, invalidInput, parseJson } from '../../core/index.ts'
import type { JsonValue } from '../../core/index.ts'
import { isStateless, routeTest, wildcards } from '../access/allowed-routes.ts'
import { modelForbidden, modelRefused } from '../access/key-limits.ts'
import { objectInPath, objectsInBody, objectsInReply } from '../access/object-names.ts'
import { objectOwners } from '../access/object-owners.ts'
import type { ObjectOwners } from '../access/object-owners.ts'
import type { GatewayConfig } from '../config.ts'
import type { Exchange, ReceivedRequest } from '../exchange/exchange.ts'
import type { Next } from '../exchange/layer.ts'
import { isSuccess } from '../outlet/reply.ts'
import type { Reply, ReplyPiece } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'
import { ownSettings, settingsFor } from '../tenant-settings.ts'
import { wantedOf } from './upstreams.ts'

/**
 * Stands before the only way to a provider: lets a tenant use the models, upstreams and routes that it may, and of what a
 * provider keeps only what was made for it. Without tokens there is one tenant, and everything passes. The gate throws
 * `forbidden`, and `not-found` for an object that is not the tenant's.
 */
export function accessGate(parts: GatewayParts, send: Next): Next {
  const { config, store, clock } = parts
  if (config.tokens.length === 0) return send
  const owners = objectOwners({ store, clock, limitMs: config.limits.stageMs })
  const rules = rulesByTenant(config)
  /** Several rounds may be asked for one request: what it names is looked up once for each upstream. */
  const checked = new WeakMap<ReceivedRequest, Set<string>>()
  return async (exchange) => {
    const { tenant, received } = exchange
    const rule = rules(tenant)
    const { name } = parts.upstreams.for(wantedOf(exchange)).upstream
    requireUpstream(rule, tenant, name)
    if (!exchange.isOwnCall) requireModels(rule, exchange, name)
    if (exchange.isOwnCall || rule.ownsAccount(name)) return send(exchange)
    requireRoute(rule, exchange)
    const before = checked.get(received) ?? new Set<string>()
    checked.set(received, before)
    if (!before.has(name))
      for (const id of objectsNamed(exchange)) await requireOwn(owners, { upstream: name, tenant, id })
    before.add(name)
    const reply = await send(exchange)
    const made = objectsMade(exchange)
    if (!isSuccess(reply) || made === undefined) return reply
    return claiming(reply, made, async (ids) => {
      try {
        await owners.claim(name, tenant, ids)
      } catch (error) {
        parts.skipped('access', error, exchange.id)
      }
    })
  }
}

/** What a tenant may use. */
interface AccessRule {
  readonly takesModel?: (model: string) => boolean
  readonly takesUpstream?: (name: string) => boolean
  readonly takesRoute: (method: string, path: string) => boolean
  /** Whether everything that the provider keeps is the tenant's own. */
  readonly ownsAccount: (upstream: string) => boolean
}

function rulesByTenant(config: GatewayConfig): (tenant: string) => AccessRule {
  const known = new Map<string, AccessRule>()
  return (tenant) => {
    const before = known.get(tenant)
    if (before) return before
    const { allowedRoutes, wholeAccount } = settingsFor(config, tenant)
    const { upstreams = {}, allowedModels, allowedUpstreams } = ownSettings(config, tenant) ?? {}
    const rule: AccessRule = {
      ...(allowedModels && { takesModel: wildcards(allowedModels) }),
      ...(allowedUpstreams && { takesUpstream: wildcards(allowedUpstreams) }),
      takesRoute: routeTest(allowedRoutes),
      ownsAccount: (name) => wholeAccount || (Object.hasOwn(upstreams, name) && upstreams[name]?.apiKey !== undefined),
    }
    known.set(tenant, rule)
    return rule
  }
}

function requireUpstream({ takesUpstream }: AccessRule, tenant: string, name: string): void {
  if (takesUpstream?.(name) === false)
    throw forbidden(
      `The tenant ${tenant} may not use the upstream ${name}.`,
      `Ask the operator to list it in tenants.${tenant}.allowedUpstreams.`,
    )
}

/** A request without a body, such as a list of models, names none. */
function requireModels({ takesModel }: AccessRule, exchange: Exchange, upstream: string): void {
  const { received, tenant, principal } = exchange
  const { allowedModels } = principal
  const isLimited = takesModel !== undefined || allowedModels !== undefined
  if (!isLimited || (received.bytes === undefined && received.upload === undefined)) return
  const models = modelsNamed(exchange)
  const refused = takesModel && models.find((model) => !takesModel(model) && !takesModel(`${upstream}/${model}`))
  if (refused !== undefined || (models.length === 0 && takesModel))
    throw forbidden(
      refused === undefined
        ? `The model of this request cannot be read, and the tenant ${tenant} may use certain models only.`
        : `The tenant ${tenant} may not use the model ${refused}.`,
      `Ask the operator to list it in tenants.${tenant}.allowedModels.`,
    )
  const refusedToKey = modelRefused(principal, models, upstream)
  if (allowedModels && (refusedToKey !== undefined || models.length === 0))
    throw modelForbidden(allowedModels, refusedToKey)
}

function modelsNamed({ wire, conversation }: Exchange): readonly string[] {
  const inPath = /\/models\/([^?]+):[a-z]+(?:\?|$)/i.exec(wire.path)?.[1]
  const named = [conversation.model, ...(conversation.models ?? []), inPath ?? ''].filter((model) => model !== '')
  return named.map((model) => model.replace(/^models\//, ''))
}

function requireRoute({ takesRoute }: AccessRule, { kind, method, wire, tenant }: Exchange): void {
  if (kind === 'messages' || kind === 'count-tokens' || takesRoute(method, wire.path)) return
  const [path = ''] = wire.path.split('?', 1)
  throw forbidden(
    `The tenant ${tenant} may not use ${method} ${path}: it shares the provider's account with others.`,
    `Ask the operator to list the route in tenants.${tenant}.allowedRoutes, or to give the tenant a key of its own.`,
  )
}

interface ObjectOf {
  readonly upstream: string
  readonly tenant: string
  readonly id: string
}

/** The same answer for what is another tenant's, for what was made elsewhere and for what does not exist. */
async function requireOwn(owners: ObjectOwners, { upstream, tenant, id }: ObjectOf): Promise<void> {
  if (await owners.belongs(upstream, tenant, id)) return
  const remedy = 'Name something that was made through this gateway with a token of the same tenant.'
  throw new PrehendError('not-found', `There is no ${id} of the tenant ${tenant}. ${remedy}`, { what: id, remedy })
}

/** What the client's own request names; the layers may name more, which is theirs. Throws where that cannot be known. */
function objectsNamed({ kind, method, received, headers }: Exchange): readonly string[] {
  const { path } = received.exchange.wire
  const isRoute = (kind === 'plain' || kind === 'forward') && !isStateless(method, path)
  const inPath = isRoute ? objectInPath(path) : undefined
  const named = inPath === undefined ? [] : [inPath]
  const { bytes } = received
  if (bytes === undefined) return named
  const encoding = headers['content-encoding']
  if ((encoding !== undefined && encoding !== 'identity') || bytes.includes(0)) throw unreadable()
  try {
    return [...named, ...objectsInBody(bytes.toString())]
  } catch {
    throw unreadable()
  }
}

function unreadable(): PrehendError {
  return invalidInput('body', 'is not plain JSON in UTF-8, so what it names cannot be checked', 'Send it uncompressed.')
}

/** Reads the objects that an answer tells the client of. */
type Made = (data: string) => readonly string[]

/** Undefined where a reply can tell of none. A reply that the provider does not keep may still name a container, or files in it. */
function objectsMade({ kind, method, wire, unread, received }: Exchange): Made | undefined {
  const isKept = unread !== undefined || wire.isKept === true || received.bytes?.includes('"store"') === true
  if (kind === 'messages') return isKept ? idsIn : objectsInBody
  if (kind === 'count-tokens') return undefined
  return method === 'GET' || method === 'HEAD' || method === 'DELETE' ? undefined : idsIn
}

type Claim = (ids: readonly string[]) => Promise<void>

/** The same reply; the client learns of no object before it is noted whose it is. */
function claiming(reply: Reply, made: Made, claim: Claim): Reply {
  const idsOf: Made = (data) => {
    try {
      return made(data)
    } catch {
      return []
    }
  }
  return { ...reply, pieces: reply.form === 'stream' ? inStream(reply, idsOf, claim) : inBody(reply, idsOf, claim) }
}

async function* inStream({ pieces }: Reply, idsOf: Made, claim: Claim): AsyncGenerator<ReplyPiece> {
  for await (const piece of pieces) {
    const ids = piece.events.flatMap(({ data }) => idsOf(data))
    if (ids.length > 0) await claim(ids)
    yield piece
  }
}

/** A longer reply tells of no object that is new. */
const mostBytes = 8 * 1024 * 1024

async function* inBody({ pieces }: Reply, idsOf: Made, claim: Claim): AsyncGenerator<ReplyPiece> {
  let held: ReplyPiece[] = []
  let size = 0
  for await (const piece of pieces) {
    size += piece.bytes?.length ?? piece.events.reduce((sum, { data }) => sum + data.length, 0)
    held.push(piece)
    if (size <= mostBytes) continue
    yield* held
    held = []
  }
  const ids = size > mostBytes ? [] : idsOf(textOf(held))
  if (ids.length > 0) await claim(ids)
  yield* held
}

function textOf(pieces: readonly ReplyPiece[]): string {
  const event = pieces.find(({ events }) => events.length > 0)?.events[0]
  return event?.data ?? Buffer.concat(pieces.flatMap(({ bytes }) => bytes ?? [])).toString()
}

/** Pieces of text, which most events are, tell of nothing. */
function idsIn(data: string): readonly string[] {
  if (/"type"\s*:\s*"[a-z_.]*delta"/.test(data)) return []
  return [...new Set([...objectsInReply(parseJson(data) as JsonValue | undefined), ...objectsInBody(data)])]
}

function forbidden(problem: string, remedy: string): PrehendError {
  return new PrehendError('forbidden', `${problem} ${remedy}`, { remedy })
}
