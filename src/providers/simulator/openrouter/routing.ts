import { hash } from 'node:crypto'
import { isInstruction } from '../../../core/index.ts'
import type { JsonObject, JsonValue } from '../../../core/index.ts'
import type { Completion, Routing, SimulatedCall } from '../dialect.ts'
import { listOf, objectOf, objectsOf, textOf } from '../read-json.ts'
import type { ProviderProblem } from '../wire.ts'
import { routedOf } from './serving.ts'
import { endpointsOf, placesMarks } from './vendors.ts'

/** `model`, and those of `models` that stand in where it fails, whatever the reason; the one that answers is told and billed. */
export function triesOf(body: JsonObject): readonly JsonObject[] {
  const others = listOf(body['models']).filter((name) => typeof name === 'string')
  const model = textOf(body['model'])
  const all = new Set(model === undefined ? others : [model, ...others])
  return all.size === 0 ? [body] : [...all].map((name) => ({ ...body, model: name }))
}

/** The call with who serves it: whoever holds the conversation, or whose turn it is. */
export function routed(call: SimulatedCall, { routes, tenant, nowMs }: Routing): SimulatedCall | ProviderProblem {
  const endpoints = allowed(call)
  const isOrdered = orderOf(call.body).length > 0
  const request = { scope: scopeOf(tenant, call), conversation: conversationOf(call).name, endpoints, isOrdered, nowMs }
  const endpoint = endpoints.length === 0 ? undefined : routes.endpointFor(request)
  if (endpoint === undefined)
    return { status: 404, message: 'No allowed providers are available for the selected model.' }
  return { ...call, endpoint }
}

/**
 * A conversation stays where its cache is: from the first answer on where the client has named it, otherwise from the first
 * that was read from a cache; never where a cache saves nothing, or the client says who is to be asked.
 */
export function held({ call, usage }: Completion, { routes, tenant, nowMs }: Routing): void {
  const { prices } = call.model.info
  const saves = prices?.cacheRead !== undefined && prices.cacheRead < prices.input
  const { name, isNamed } = conversationOf(call)
  const isWarm = isNamed || (usage.cacheReadTokens ?? 0) > 0
  if (!saves || !isWarm || call.endpoint === undefined || orderOf(call.body).length > 0) return
  routes.hold({ scope: scopeOf(tenant, call), conversation: name, endpoint: call.endpoint, nowMs })
}

function scopeOf(tenant: string, { model }: SimulatedCall): string {
  return JSON.stringify([tenant, model.id])
}

interface ConversationName {
  readonly name: string
  /** As a session, by the client. */
  readonly isNamed: boolean
}

/** The body's word comes before the header's. */
function conversationOf({ body, headers }: SimulatedCall): ConversationName {
  const session = textOf(body['session_id']) ?? headers['x-session-id']
  if (session !== undefined) return { name: `session ${session}`, isNamed: true }
  const key = textOf(body['prompt_cache_key'])
  if (key !== undefined) return { name: `key ${key}`, isNamed: false }
  const messages = objectsOf(body['messages'])
  const isSystem = ({ role }: JsonObject): boolean => isInstruction(role)
  const first = [messages.find(isSystem), messages.find((message) => !isSystem(message))]
  const said = first.map((message) => message?.['content'] ?? null)
  return { name: `begins ${hash('sha256', JSON.stringify(said))}`, isNamed: false }
}

/** Those that the request leaves, in its order. A mark that the provider is to place itself only one knows how to. */
function allowed({ body, model }: SimulatedCall): readonly string[] {
  const { only, ignore, allow_fallbacks: fallbacks } = objectOf(body['provider'])
  const { vendor, served } = routedOf({ model })
  const all = endpointsOf(vendor).filter((name) => {
    const isLeft = (only == null || names(only).includes(slugOf(name))) && !names(ignore).includes(slugOf(name))
    return isLeft && (body['cache_control'] == null || served.provider !== 'anthropic' || name === placesMarks)
  })
  const order = orderOf(body)
  const first = order.flatMap((slug) => all.filter((name) => slugOf(name) === slug))
  return fallbacks === false && order.length > 0 ? first : [...first, ...all.filter((name) => !first.includes(name))]
}

function orderOf(body: JsonObject): readonly string[] {
  return names(objectOf(body['provider'])['order'])
}

function names(value: JsonValue | undefined): readonly string[] {
  return listOf(value).flatMap((name) => (typeof name === 'string' ? [slugOf(name)] : []))
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}
