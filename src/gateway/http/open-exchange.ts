import type { IncomingMessage } from 'node:http'
import type { Exchange, ExchangeKind } from '../layers/exchange.ts'
import { requestSettings } from '../layers/request-settings.ts'
import { openTrace } from '../layers/trace.ts'
import type { ReplyEnd } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'
import type { Authenticate } from './authenticate.ts'
import type { ProviderRoute } from './provider-route.ts'
import { readBody } from './read-body.ts'
import { readRequest, withoutBody } from './read-request.ts'
import type { ReadRequest } from './read-request.ts'
import { uploadOf } from './upload.ts'

export interface OpenExchange {
  readonly request: IncomingMessage
  readonly route: ProviderRoute
  readonly authenticate: Authenticate
  readonly requestId: string
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  readonly whenEnded: (told: (end: ReplyEnd) => void | Promise<void>) => void
}

/** Reads and decodes a request, as far as it can be read. Rejects on what is not to go on. */
export async function openExchange(parts: GatewayParts, options: OpenExchange): Promise<Exchange> {
  const { request, route, requestId: id, signal, whenEnded } = options
  const { kind, codec } = route
  const { headers, method = 'GET' } = request
  const tenant = options.authenticate(headers)
  const bytes = isRead(kind) ? await readBody(request, parts.config.limits.bodyBytes) : undefined
  const trace = openTrace(parts.stopwatch)
  const read = bytes ? readRequest(parts, { route, tenant, headers, bytes }) : passedOn(request, route)
  const { unread, extension, ...received } = read
  const settings = requestSettings(extension, parts.config)
  if (unread) {
    const stage = unread.code === 'beyond-limits' ? 'too-large' : 'decode'
    trace.skip(stage)
    parts.skipped(stage, unread, id)
  }
  return {
    ...received.exchange,
    id,
    kind,
    tenant,
    receivedMs: parts.clock(),
    method,
    headers,
    codec,
    settings: kind === 'forward' ? { ...settings, mode: 'off' } : settings,
    signal,
    trace,
    whenEnded,
    received,
    collected: [],
    rewrites: [],
    ...(unread && { unread }),
  }
}

function isRead(kind: ExchangeKind): boolean {
  return kind === 'messages' || kind === 'count-tokens'
}

/** A request whose body, if it has one, is not looked at. */
function passedOn(request: IncomingMessage, route: ProviderRoute): ReadRequest {
  const upload = route.kind === 'forward' ? uploadOf(request) : undefined
  return { exchange: withoutBody(route, request.headers), ...(upload && { upload }) }
}
