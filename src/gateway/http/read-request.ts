import type { IncomingHttpHeaders } from 'node:http'
import { unreadBody } from '../../codecs/index.ts'
import { invalidInput } from '../../core/index.ts'
import type { Exchange as WireExchange, Extension, PrehendError } from '../../core/index.ts'
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
    const exchange = decoded(parts, request)
    const { extension } = exchange.wire
    return { exchange, bytes: request.bytes, ...(extension && { extension }) }
  } catch (error) {
    return { ...asItCame(request), unread: toPrehendError(error) }
  }
}

function decoded(parts: GatewayParts, { route, tenant, headers, bytes }: ToRead): WireExchange {
  requirePlain(headers)
  const { codec, kind, path } = route
  const text = bodyText(bytes)
  const previous = kind === 'messages' ? parts.sessions.guess(tenant, text) : undefined
  const exchange = codec.decode({ path, headers: wireHeaders(headers), body: text }, previous)
  const { extension } = exchange.wire
  if (extension && isForeign(extension))
    throw invalidInput(extension.name, 'is not meant for us', 'Nothing is to be done.')
  return exchange
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
