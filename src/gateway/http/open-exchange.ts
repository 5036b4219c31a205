import type { IncomingMessage } from 'node:http'
import type { Codec } from '../../codecs/index.ts'
import { isPrehendError } from '../../core/index.ts'
import type { Exchange as WireExchange } from '../../core/index.ts'
import type { Exchange, ExchangeKind } from '../layers/exchange.ts'
import { requestSettings } from '../layers/request-settings.ts'
import { openTrace } from '../layers/trace.ts'
import type { Trace } from '../layers/trace.ts'
import type { ReplyEnd } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'
import type { Authenticate } from './authenticate.ts'
import { bodyText, readBody } from './read-body.ts'
import { wireHeaders } from './wire-headers.ts'

/** A route that a provider answers. */
export interface ProviderRoute {
  readonly kind: ExchangeKind
  readonly codec: Codec
}

export interface OpenExchange {
  readonly request: IncomingMessage
  readonly route: ProviderRoute
  readonly authenticate: Authenticate
  readonly requestId: string
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  readonly whenEnded: (told: (end: ReplyEnd) => void | Promise<void>) => void
}

/** Reads and decodes a request. Rejects on bad input. */
export async function openExchange(parts: GatewayParts, options: OpenExchange): Promise<Exchange> {
  const { request, route, requestId: id, signal, whenEnded } = options
  const { codec } = route
  const { headers, method = 'GET' } = request
  const tenant = options.authenticate(headers)
  const bytes = route.kind === 'plain' ? undefined : await readBody(request, parts.config.limits.bodyBytes)
  const trace = openTrace(parts.stopwatch)
  const received = bytes
    ? decoded(parts, { route, tenant, request, text: bodyText(bytes), trace })
    : withoutBody(codec, request)
  const kind = trace.skipped.length > 0 ? 'plain' : route.kind
  const settings = requestSettings(received.wire.extension, parts.config)
  return {
    ...received,
    id,
    kind,
    tenant,
    receivedMs: parts.clock(),
    method,
    headers,
    codec,
    settings,
    signal,
    trace,
    whenEnded,
    received: { exchange: received, ...(bytes && { bytes }) },
    collected: [],
    rewrites: [],
  }
}

interface ToDecode {
  readonly route: ProviderRoute
  readonly tenant: string
  readonly request: IncomingMessage
  readonly text: string
  readonly trace: Trace
}

/** What is too much to be read goes on as it came. */
function decoded(parts: GatewayParts, { route, tenant, request, text, trace }: ToDecode): WireExchange {
  const previous = route.kind === 'messages' ? parts.sessions.guess(tenant, text) : undefined
  const { headers, url: path = '/' } = request
  try {
    return route.codec.decode({ path, headers: wireHeaders(headers), body: text }, previous)
  } catch (error) {
    if (!isPrehendError(error) || error.code !== 'beyond-limits') throw error
    trace.skip('too-large')
    return withoutBody(route.codec, request)
  }
}

/** A request that carries no conversation. */
function withoutBody({ dialect }: Codec, { url: path = '/', headers }: IncomingMessage): WireExchange {
  return {
    wire: { dialect, path, headers: wireHeaders(headers), body: '', markers: [], acceptsTool: false, keepsTool: false },
    conversation: { model: '', stream: false, messages: [], items: [], tools: [], sampling: {} },
  }
}
