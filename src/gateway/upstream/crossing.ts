import type { IncomingHttpHeaders } from 'node:http'
import { codecFor, crossRequest } from '../../codecs/index.ts'
import type { Codec } from '../../codecs/index.ts'
import type { Dialect } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'
import { cachesPrompts, marked } from '../../sessions/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import { outgoingBody } from '../layers/exchange.ts'
import type { Exchange } from '../layers/exchange.ts'
import { keyHeaders } from './key-headers.ts'

/** A request on its way to a provider that speaks another dialect than the client. */
export interface Crossing {
  readonly codec: Codec
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface CrossingOptions {
  readonly dialect: Dialect
  readonly catalogue: ModelCatalogue
  readonly passCredentials: boolean
}

/**
 * Writes what the layers made of a request in the provider's dialect, marked for its cache. What could not be carried stands
 * in the trace. Throws `invalid-input` where the body could not be read, or the provider's dialect can hold no such conversation.
 */
export function crossing(exchange: Exchange, { dialect, catalogue, passCredentials }: CrossingOptions): Crossing {
  const { codec: from, trace, headers, settings, unread } = exchange
  if (unread) throw unread
  const codec = codecFor(dialect)
  const written = crossRequest(from, codec, asSent(exchange))
  const { path } = written
  const { model } = exchange.conversation
  const request = { path, headers: written.headers, body: written.body }
  const marks = cachesPrompts(settings.policy, settings.situation)
  const body = marks ? marked(codec, request, { model, catalogue }) : request.body
  trace.cross({ dialect, hash: sha256(body), lost: written.lost })
  return {
    codec,
    path,
    headers: {
      ...ofNoDialect(headers),
      ...written.headers,
      ...(passCredentials && credentials(from, headers, dialect)),
    },
    body,
  }
}

/** The conversation that would go upstream in the client's own dialect. */
function asSent(exchange: Exchange): Pick<Exchange, 'wire' | 'conversation'> {
  const { codec, wire, conversation, received } = exchange
  const isSame = exchange.body === undefined && conversation === received.exchange.conversation
  if (isSame) return exchange
  const body = outgoingBody(exchange)
  const request = { path: wire.path, headers: wire.headers, body: body?.toString() ?? '' }
  // What the client has sent was read already.
  return codec.decode(request, received.exchange)
}

/** What a request says of itself whatever it is written in. */
const general = ['content-type', 'user-agent', 'traceparent', 'tracestate', 'x-session-id', 'x-session-affinity']

function ofNoDialect(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of general) {
    const value = headers[name]
    if (typeof value === 'string') kept[name] = value
  }
  return kept
}

/** A client's own key, where the provider wants it. */
function credentials(from: Codec, headers: IncomingHttpHeaders, to: Dialect): Readonly<Record<string, string>> {
  const { credential } = from.signs
  const own = credential === undefined ? undefined : headers[credential]
  const key = typeof own === 'string' ? own : headers.authorization?.replace(/^Bearer\s+/i, '')
  return key === undefined ? {} : keyHeaders(to, key)
}
