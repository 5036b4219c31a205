import type { IncomingHttpHeaders } from 'node:http'
import { crossRequest } from '../../codecs/index.ts'
import type { CalledTool, Codec } from '../../codecs/index.ts'
import type { Conversation } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'
import { cachesPrompts, marked } from '../../sessions/index.ts'
import { heuristicTokenizer } from '../../tokens/index.ts'
import type { ModelCatalogue, ModelInfo } from '../../tokens/index.ts'
import { outgoingBody } from '../exchange/exchange.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { keyHeaders } from '../access/key-headers.ts'

/** A request on its way to a provider that speaks another dialect than the client. */
export interface Crossing {
  readonly codec: Codec
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The client's tools by the names under which the provider is told of them. */
  readonly names: ReadonlyMap<string, CalledTool>
  /** Ids of calls that stand in the request. */
  readonly callIds: ReadonlySet<string>
}

export interface CrossingOptions {
  /** Of the provider. */
  readonly codec: Codec
  readonly catalogue: ModelCatalogue
  readonly passCredentials: boolean
  /** Whether the configuration keeps a header from providers. */
  readonly isDropped: (name: string) => boolean
  /** Whether the provider refuses to be asked for the usage of a stream. */
  readonly refusesUsage: boolean
}

/**
 * Writes what the layers made of a request in the provider's dialect, marked for its cache. What could not be carried stands
 * in the trace. Throws `invalid-input` where the body could not be read, or the provider's dialect can hold no such conversation.
 */
export function crossing(
  exchange: Exchange,
  { codec, catalogue, passCredentials, isDropped, refusesUsage }: CrossingOptions,
): Crossing {
  const { codec: from, trace, headers, settings, unread } = exchange
  if (unread) throw unread
  const { model } = exchange.conversation
  const sent = asSent(exchange)
  const written = crossRequest(from, codec, sent, {
    ...mostOutput(sent.conversation, catalogue.info(model)),
    asksUsage: !refusesUsage,
  })
  const { path, names } = written
  const request = { path, headers: written.headers, body: written.body }
  const marks = cachesPrompts(settings.policy, settings.situation)
  const body = marks ? marked(codec, request, { model, catalogue }) : request.body
  trace.cross({ dialect: codec.dialect, hash: sha256(body), lost: written.lost })
  return {
    codec,
    path,
    headers: {
      ...ofNoDialect(headers, isDropped),
      ...written.headers,
      ...(passCredentials && credentials(from, headers, codec)),
    },
    body,
    names,
    callIds: new Set(
      sent.conversation.items.flatMap(({ kind, toolCallId }) => (kind === 'tool-call' ? (toolCallId ?? []) : [])),
    ),
  }
}

/** Claude refuses limits that do not fit into the window beside the prompt; below these it ends a reply that came to the end of it. */
const leastOutputTokens = 4096
/** Claude's tokenizers count up to a third more than what is estimated here. */
const countMargin = 1.35

/** How long a reply may be where the client says no limit: as long as the model can, within its window. */
function mostOutput(
  { items }: Conversation,
  { maxOutputTokens, windowTokens }: Pick<ModelInfo, 'maxOutputTokens' | 'windowTokens'>,
): { readonly mostOutputTokens?: number } {
  if (maxOutputTokens === undefined) return {}
  const promptOf = (count: (text: string) => number): number =>
    items.reduce((sum, { text, tokens }) => sum + (tokens ?? count(text)), 0)
  // No text has more tokens than bytes of UTF-8, three for a character: most prompts need not be counted.
  const isRoomy = promptOf((text) => 3 * text.length) + maxOutputTokens <= windowTokens
  if (isRoomy) return { mostOutputTokens: maxOutputTokens }
  const promptTokens = Math.ceil(promptOf((text) => heuristicTokenizer.count(text)) * countMargin)
  return { mostOutputTokens: Math.min(maxOutputTokens, Math.max(leastOutputTokens, windowTokens - promptTokens)) }
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

function ofNoDialect(headers: IncomingHttpHeaders, isDropped: (name: string) => boolean): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of general) {
    const value = headers[name]
    if (typeof value === 'string' && !isDropped(name)) kept[name] = value
  }
  return kept
}

/** A client's own key, where the provider wants it. */
function credentials(from: Codec, headers: IncomingHttpHeaders, to: Codec): Readonly<Record<string, string>> {
  const { credential } = from.signs
  const own = credential === undefined ? undefined : headers[credential]
  const key = typeof own === 'string' ? own : headers.authorization?.replace(/^Bearer\s+/i, '')
  return key === undefined ? {} : keyHeaders(to, key)
}
