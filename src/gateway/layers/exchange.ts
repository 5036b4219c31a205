import type { IncomingHttpHeaders } from 'node:http'
import type { Conversation, Exchange as WireExchange, Item, PrehendError, Wire } from '../../core/index.ts'
import { renamedRequest } from '../../codecs/index.ts'
import type { Codec } from '../../codecs/index.ts'
import type { OpenSpan } from '../../tracing/index.ts'
import type { Upload } from '../../providers/index.ts'
import type { ReplyEnd } from '../outlet/reply.ts'
import type { RequestSettings } from './request-settings.ts'
import type { Trace } from './trace.ts'

/**
 * What a request asks for: a model's answer, a count of its tokens, something that goes through as it is, or something that we
 * do not know: a route of the provider's that goes on unread.
 */
export type ExchangeKind = 'messages' | 'count-tokens' | 'plain' | 'forward'

/** Changes an item, or gives it back as it is. Must give the same for the same item, and leave its own results alone. */
export type Rewrite = (item: Item) => Item

/** A request in flight, as the layers hand it to one another: a value, but for its trace. */
export interface Exchange extends WireExchange {
  /** The request's id. */
  readonly id: string
  readonly kind: ExchangeKind
  readonly tenant: string
  /** When it came, in milliseconds since the epoch. */
  readonly receivedMs: number
  readonly method: string
  /** The client's own. */
  readonly headers: IncomingHttpHeaders
  readonly codec: Codec
  /** The upstream that the client has named, before the model's name. */
  readonly upstream?: string
  readonly wire: Wire
  /** As the layers before have left it; empty where a request has no body, in those of kind `forward`, and where the body is `unread`. */
  readonly conversation: Conversation
  /** As it came. */
  readonly received: ReceivedRequest
  /** Why nobody could read the body: it goes on as it came. */
  readonly unread?: PrehendError
  /** What goes upstream, where a layer has written it already. */
  readonly body?: string
  /** What its session is called where a provider wants to know; tells nothing of whose it is. */
  readonly sessionName?: string
  /** Items of sources, which the client did not send. */
  readonly collected: readonly Item[]
  /** What every item passes that comes in later: from sources, and from tools that answer here. */
  readonly rewrites: readonly Rewrite[]
  readonly settings: RequestSettings
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  readonly trace: Trace
  /** The span that it is in; absent where nobody traces. */
  readonly span?: OpenSpan
  /** Has a function told how it all ended, reply or none; it may wait, and must not throw. */
  readonly whenEnded: (told: (end: ReplyEnd) => void | Promise<void>) => void
}

export interface ReceivedRequest {
  readonly exchange: WireExchange
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
  previousOf(body: string): WireExchange | undefined
}

/** A request as if its client had asked for the model by the name that its provider knows. */
export function askedFor({ model, codec, wire, previousOf }: AskedFor): Required<Omit<ReceivedRequest, 'upload'>> {
  const request = renamedRequest(codec, wire, model)
  return { exchange: codec.decode(request, previousOf(request.body)), bytes: Buffer.from(request.body) }
}

/** Whether a request may say what no layer has seen. */
export function isUnread({ kind, unread }: Pick<Exchange, 'kind' | 'unread'>): boolean {
  return kind === 'forward' || unread !== undefined
}

/** The exchange with every item changed: those of the conversation, and those that come in later. */
export function rewritten(exchange: Exchange, rewrite: Rewrite): Exchange {
  const { body, codec } = exchange
  const later = { rewrites: [...exchange.rewrites, rewrite], collected: exchange.collected.map(rewrite) }
  if (body === undefined) {
    return { ...exchange, ...later, conversation: mapped(exchange.conversation, rewrite) }
  }
  const written = codec.decode({ path: exchange.wire.path, headers: exchange.wire.headers, body })
  return {
    ...exchange,
    ...later,
    conversation: mapped(exchange.conversation, rewrite),
    body: codec.encode({ ...written, conversation: mapped(written.conversation, rewrite) }, {}),
  }
}

/** The same conversation where no item changes. */
function mapped(conversation: Conversation, rewrite: Rewrite): Conversation {
  const items = conversation.items.map(rewrite)
  return items.every((item, index) => item === conversation.items[index]) ? conversation : { ...conversation, items }
}

/** An item that comes in late, as the layers want it. */
export function admitted({ rewrites }: Pick<Exchange, 'rewrites'>, item: Item): Item {
  return rewrites.reduce((now, rewrite) => rewrite(now), item)
}

/**
 * The client's own request again, whatever layers have made of it, save what must be rewritten: a layer's word that
 * nothing of what it was given is to be kept.
 */
export function asItCame(exchange: Exchange): Exchange {
  const { body: _, ...rest } = exchange
  const { wire, conversation } = exchange.received.exchange
  return { ...rest, wire, collected: [], conversation: mapped(conversation, (item) => admitted(exchange, item)) }
}

/** What goes upstream: the client's own bytes where no layer has changed anything. Throws where a change has no place. */
export function outgoingBody(exchange: Exchange): string | Buffer | undefined {
  const { body, codec, received, wire, conversation } = exchange
  if (body !== undefined) return body === received.exchange.wire.body ? received.bytes : body
  const isSame = conversation === received.exchange.conversation && wire === received.exchange.wire
  if (received.bytes === undefined || (isSame && wire.extension === undefined)) return received.bytes
  return codec.encode(exchange, {})
}

/** The request as the layers have made it, decoded anew where they have changed it. */
export function layeredRequest(exchange: Exchange, previous?: WireExchange): WireExchange {
  const { received, wire, conversation, codec } = exchange
  if (conversation === received.exchange.conversation) return received.exchange
  const body = codec.encode(exchange, {})
  return codec.decode({ path: wire.path, headers: wire.headers, body }, previous)
}
