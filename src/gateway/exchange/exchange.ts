import type { IncomingHttpHeaders } from 'node:http'
import type { Conversation, WireExchange, Item, PrehendError, Principal, ModelReply, Wire } from '../../core/index.ts'
import { renamedRequest } from '../../codecs/index.ts'
import type { Codec } from '../../codecs/index.ts'
import type { OpenSpan } from '../../tracing/index.ts'
import type { Upload } from '../../providers/index.ts'
import type { RequestOutlay } from '../budgets/request-outlay.ts'
import type { ReplyEnd } from '../outlet/reply.ts'
import type { LastRequest } from '../../sessions/index.ts'
import type { FoundSession } from './found-session.ts'
import type { RequestSettings } from './request-settings.ts'
import type { RequestTrace } from './trace.ts'

/**
 * What a request asks for: a model's answer, a count of its tokens, something that goes through as it is, or something that we
 * do not know: a route of the provider's that goes on unread.
 */
export type ExchangeKind = 'messages' | 'count-tokens' | 'plain' | 'forward'

/** A rewrite of an item that comes in while a request is on its way. */
export type LateRewrite = (item: Item) => Item | Promise<Item>

/** Gives a text that a model wrote with what a layer has masked in its own words again. */
export type Restore = (text: string) => string

/** A request in flight, as the layers hand it to one another: a value, but for its trace. */
export interface Exchange extends WireExchange {
  /** The request's id. */
  readonly id: string
  readonly kind: ExchangeKind
  readonly tenant: string
  /** Who asks. */
  readonly principal: Principal
  /** When it came, in milliseconds since the epoch. */
  readonly receivedMs: number
  readonly method: string
  /** The client's own. */
  readonly headers: IncomingHttpHeaders
  readonly codec: Codec
  /** The upstream that the client has named, before the model's name. */
  readonly upstream?: string
  /** Whether the gateway asks for itself, such as for a summary: the model is the operator's choice. */
  readonly isOwnCall?: true
  readonly wire: Wire
  /** As the layers before have left it; empty where a request has no body, in those of kind `forward`, and where the body is `unread`. */
  readonly conversation: Conversation
  /** What the client has asked for, where this model stands in for it. */
  readonly standsInFor?: AskedFirst
  /** As it came. */
  readonly received: ReceivedRequest
  /** Why nobody could read the body: it goes on as it came. */
  readonly unread?: PrehendError
  /** What goes upstream, where a layer has written it already. */
  readonly body?: string
  /** The session that it belongs to, once a layer has asked for it. */
  readonly session?: FoundSession
  /** Finds that session; absent in requests of the gateway's own. Rejects where the store cannot be read. */
  readonly findSession?: (exchange: Exchange) => Promise<FoundSession>
  /** What may be spent on it; absent where nothing is limited, and in requests of the gateway's own. */
  readonly outlay?: RequestOutlay
  /** What goes upstream in tokens, by our own count; absent where nobody has planned it. */
  readonly promptTokens?: number
  /** What its session is called where a provider wants to know; tells nothing of whose it is. */
  readonly sessionName?: string
  /** Items of sources, which the client did not send. */
  readonly collected: readonly Item[]
  /** What every item passes that comes in later: from sources, and from tools that answer here. */
  readonly rewrites: readonly LateRewrite[]
  /** What arguments pass before a hidden tool gets them: the layers that have masked something, the last first. */
  readonly restores: readonly Restore[]
  readonly settings: RequestSettings
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  readonly trace: RequestTrace
  /** The span that it is in; absent where nobody traces. */
  readonly span?: OpenSpan
  /** Has a function told how it all ended, reply or none; it may wait, and must not throw. One that `files` is told after all others. */
  readonly whenEnded: (told: (end: ReplyEnd) => void | Promise<void>, order?: 'files') => void
  /** Has a function told what the client was answered, in neutral words, where that is whole. Nothing is read where nobody asks for it. */
  readonly whenAnswered: (told: (reply: ModelReply) => void | Promise<void>) => void
}

export interface ReceivedRequest {
  readonly exchange: WireExchange
  /** The last request of its session, as layers had changed it: what is the same is not read again. */
  readonly lastLayered?: WireExchange
  /** Absent where the method has no body, and where nobody reads it. */
  readonly bytes?: Buffer
  /** A body that is passed on while it comes. */
  readonly upload?: Upload
}

export interface AskedFor {
  readonly model: string
  readonly codec: Codec
  readonly wire: Wire
  /** What has been read already of the same bytes. */
  previousOf(body: string): LastRequest | undefined
}

/** A request as if its client had asked for the model by the name that its provider knows. */
export function askedFor({ model, codec, wire, previousOf }: AskedFor): Omit<ReceivedRequest, 'upload'> {
  const request = renamedRequest(codec, wire, model)
  const { received, layered } = previousOf(request.body) ?? {}
  return {
    exchange: codec.decode(request, received),
    ...(layered && { lastLayered: layered }),
    bytes: Buffer.from(request.body),
  }
}

/** A request that went to another model before. */
export interface AskedFirst extends Pick<Exchange, 'conversation'> {
  /** The upstream that it went to: the client's key is for that one. */
  readonly server: string
}

/** Whether a request may say what no layer has seen. */
export function isUnread({ kind, unread }: Pick<Exchange, 'kind' | 'unread'>): boolean {
  return kind === 'forward' || unread !== undefined
}

/** What goes upstream: the client's own bytes where no layer has changed anything. Throws where a change has no place. */
export function outgoingBody(exchange: Exchange): string | Buffer | undefined {
  const { body, codec, received, wire, conversation } = exchange
  if (body !== undefined) return body === received.exchange.wire.body ? received.bytes : body
  const isSame = conversation === received.exchange.conversation && wire === received.exchange.wire
  if (received.bytes === undefined || (isSame && wire.extension === undefined)) return received.bytes
  return codec.encode(exchange, {})
}

/**
 * The request as the layers have made it, decoded anew where they have changed it. Of what was there already in the last request of the
 * session the items are the same objects.
 */
export function layeredRequest(exchange: Exchange): WireExchange {
  const { received, wire, conversation, codec } = exchange
  const { lastLayered } = received
  if (conversation === received.exchange.conversation) return received.exchange
  if (codec.apply) return codec.apply(exchange, lastLayered)
  const body = codec.encode(exchange, {})
  return codec.decode({ path: wire.path, headers: wire.headers, body }, lastLayered)
}
