import type { IncomingHttpHeaders } from 'node:http'
import { unreadBody } from '../../codecs/index.ts'
import type { WireExchange, Extension, PrehendError } from '../../core/index.ts'
import type { LastRequest } from '../../sessions/index.ts'
import { askedFor } from '../exchange/exchange.ts'
import type { ReceivedRequest } from '../exchange/exchange.ts'
import type { GatewayParts } from '../parts.ts'
import type { ProviderRoute } from './provider-route.ts'
import type { ArrivedRequest } from './arrived.ts'
import { bodyText, requirePlain } from './read-body.ts'
import { toPrehendError } from '../outlet/respond.ts'
import { wireHeaders } from './wire-headers.ts'

/** A request, and what its body says to us. */
export interface ReadRequest extends ReceivedRequest {
  readonly extension?: Extension
  /** The upstream that the client has named, before the model's name. */
  readonly upstream?: string
  /** Why nobody could read the body; it goes on as it came. */
  readonly unread?: PrehendError
}

export interface ToRead extends Pick<ArrivedRequest, 'route' | 'tenant' | 'headers' | 'unread'> {
  readonly bytes: Buffer
}

/** Reads a body; what its dialect's codec refuses is read no further than to send it on, or to refuse it where it would have to cross. */
export function readRequest(parts: GatewayParts, request: ToRead): ReadRequest {
  if (request.route.kind === 'forward') return onlyNamed(request)
  if (request.unread) return { ...asItCame(parts, request), unread: request.unread }
  try {
    const { last, came } = decoded(parts, request)
    const { extension } = came.wire
    const { model } = came.conversation
    const { model: known, upstream } = parts.upstreams.named(model, request.tenant)
    const { codec } = request.route
    const read =
      known === model
        ? { exchange: came, ...(last?.layered && { lastLayered: last.layered }), bytes: request.bytes }
        : askedFor({ model: known, codec, wire: came.wire, previousOf: (body) => guessed(parts, request, body) })
    return { ...read, ...(extension && { extension }), ...(upstream !== undefined && { upstream }) }
  } catch (error) {
    return { ...asItCame(parts, request), unread: toPrehendError(error) }
  }
}

interface Decoded {
  readonly came: WireExchange
  readonly last: LastRequest | undefined
}

function decoded(parts: GatewayParts, { route, tenant, headers, bytes }: ToRead): Decoded {
  requirePlain(headers)
  const { codec, path } = route
  const text = bodyText(bytes)
  const last = guessed(parts, { route, tenant }, text)
  return { came: codec.decode({ path, headers: wireHeaders(headers), body: text }, last?.received), last }
}

/** What was read of the request that a body goes on from. */
function guessed(
  { sessions }: GatewayParts,
  { route, tenant }: Pick<ToRead, 'route' | 'tenant'>,
  body: string,
): LastRequest | undefined {
  return route.kind === 'messages' ? sessions.lastRequest(tenant, body) : undefined
}

/** The bytes, less a member of ours at their root: characters of Latin 1 stand for bytes. */
function asItCame({ upstreams }: GatewayParts, { route, headers, bytes, tenant }: ToRead): ReadRequest {
  const body = bytes.toString('latin1')
  const { model: told, extension, rest } = unreadBody(body)
  const asked = route.codec.modelNamedIn?.(route.path) ?? told
  const { model, upstream } = upstreams.named(asked, tenant)
  const read = { exchange: withoutBody(route, headers, model), ...(upstream !== undefined && { upstream }) }
  if (extension === undefined) return { ...read, bytes }
  return { ...read, extension, bytes: Buffer.from(rest, 'latin1') }
}

/** A request of a route that nobody reads: its body is looked at for the model only. */
function onlyNamed({ route, headers, bytes }: ToRead): ReadRequest {
  const { model } = unreadBody(bytes.toString('latin1'))
  return { exchange: withoutBody(route, headers, model), bytes }
}

/** A request that carries no conversation, or none that could be read. */
export function withoutBody({ codec, path }: ProviderRoute, headers: IncomingHttpHeaders, model = ''): WireExchange {
  const { dialect } = codec
  return {
    wire: { dialect, path, headers: wireHeaders(headers), body: '', markers: [], acceptsTool: false, keepsTool: false },
    conversation: { model, stream: false, messages: [], items: [], tools: [], sampling: {} },
  }
}
