import type { IncomingHttpHeaders } from 'node:http'
import { unreadBody } from '../../codecs/index.ts'
import { invalidInput } from '../../core/index.ts'
import type { Exchange as WireExchange, Extension, PrehendError } from '../../core/index.ts'
import { askedFor } from '../layers/exchange.ts'
import type { ReceivedRequest } from '../layers/exchange.ts'
import { isForeign } from '../layers/request-settings.ts'
import type { GatewayParts } from '../parts.ts'
import type { ProviderRoute } from './provider-route.ts'
import type { ArrivedRequest } from './arrived.ts'
import { bodyText, requirePlain } from './read-body.ts'
import { toPrehendError } from './respond.ts'
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

/** Reads a body; what its dialect's codec refuses is read no further than to send it on. */
export function readRequest(parts: GatewayParts, request: ToRead): ReadRequest {
  if (request.unread) return { ...asItCame(request), unread: request.unread }
  try {
    const came = decoded(parts, request)
    const { extension } = came.wire
    const { model } = came.conversation
    const { model: known, upstream } = parts.upstreams.named(model, request.tenant)
    const { codec } = request.route
    const read =
      known === model
        ? { exchange: came, bytes: request.bytes }
        : askedFor({ model: known, codec, wire: came.wire, previousOf: (body) => guessed(parts, request, body) })
    return { ...read, ...(extension && { extension }), ...(upstream !== undefined && { upstream }) }
  } catch (error) {
    return { ...asItCame(request), unread: toPrehendError(error) }
  }
}

function decoded(parts: GatewayParts, { route, tenant, headers, bytes }: ToRead): WireExchange {
  requirePlain(headers)
  const { codec, path } = route
  const text = bodyText(bytes)
  const previous = guessed(parts, { route, tenant }, text)
  const exchange = codec.decode({ path, headers: wireHeaders(headers), body: text }, previous)
  const { extension } = exchange.wire
  if (extension && isForeign(extension))
    throw invalidInput(extension.name, 'is not meant for us', 'Nothing is to be done.')
  return exchange
}

/** What was read of the request that a body goes on from. */
function guessed(
  { sessions }: GatewayParts,
  { route, tenant }: Pick<ToRead, 'route' | 'tenant'>,
  body: string,
): WireExchange | undefined {
  return route.kind === 'messages' ? sessions.guess(tenant, body) : undefined
}

/** The bytes, less a member of ours at their root: characters of Latin 1 stand for bytes. */
function asItCame({ route, headers, bytes }: ToRead): ReadRequest {
  const body = bytes.toString('latin1')
  const { model, extension, rest } = unreadBody(body)
  const exchange = withoutBody(route, headers, model)
  if (extension === undefined || isForeign(extension)) return { exchange, bytes }
  return { exchange, extension, bytes: Buffer.from(rest, 'latin1') }
}

/** A request that carries no conversation, or none that could be read. */
export function withoutBody({ codec, path }: ProviderRoute, headers: IncomingHttpHeaders, model = ''): WireExchange {
  const { dialect } = codec
  return {
    wire: { dialect, path, headers: wireHeaders(headers), body: '', markers: [], acceptsTool: false, keepsTool: false },
    conversation: { model, stream: false, messages: [], items: [], tools: [], sampling: {} },
  }
}
