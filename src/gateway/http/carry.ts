import type { Exchange } from '../exchange/exchange.ts'
import { leavingOut } from '../layers/left-out.ts'
import type { Next } from '../exchange/layer.ts'
import { failureCode, overheadMs } from '../exchange/trace.ts'
import { hasLeft } from '../outlet/client.ts'
import type { Client, ClientResponse } from '../outlet/client.ts'
import { deliver } from '../outlet/deliver.ts'
import type { Reply, ReplyEnd, ResponseHeaders } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'
import type { Crossed } from '../../stores/index.ts'
import { countUnfiled } from '../recording/count-unfiled.ts'
import { recordReply } from '../recording/record-reply.ts'
import { requestAttributes } from '../recording/request-attributes.ts'
import { plausibleUsage } from '../../tokens/index.ts'
import { errorCode, openSpan } from '../../tracing/index.ts'
import type { OpenSpan } from '../../tracing/index.ts'
import type { ArrivedRequest } from './arrived.ts'
import { exchangeEnds } from './exchange-ends.ts'
import type { ExchangeEnds } from './exchange-ends.ts'
import { openExchange } from './open-exchange.ts'
import { refuse } from './refuse.ts'
import { requireSearchable } from './require-searchable.ts'
import { idHeaders } from '../outlet/respond.ts'

/** Where a request's answer goes. */
export interface AnswerTo extends Pick<Client, 'signal' | 'streams'> {
  readonly response: ClientResponse
}

/** Brings one request from its arrival to its end: decoded, sent through the layers, answered, recorded. Never rejects. */
export type Carry = (arrived: ArrivedRequest, to: AnswerTo) => Promise<void>

/** Carries on the thread that calls it; `way` leads through the layers to the provider. */
export function carrier(parts: GatewayParts, way: Next): Carry {
  return async (arrived, to) => {
    const { requestId, route } = arrived
    const { response, signal } = to
    const ends = exchangeEnds((error) => parts.skipped('when-answered', error, requestId))
    const span = arrived.whenTraced && openSpan('prehend.request')
    let exchange: Exchange | undefined
    let end: ReplyEnd
    try {
      exchange = openExchange(parts, arrived, { signal, span, ends })
      requireSearchable(exchange)
      end = plausible(parts, exchange, await answer(parts, { exchange, to, ends, reply: await way(exchange) }))
    } catch (error) {
      end = await refuse(parts, { route, exchange, error, response, requestId, gone: hasLeft(signal) })
      await ends.tell(end)
      if (exchange) await countUnfiled(parts, exchange, end)
      await exchange?.outlay?.close()
      if (span) traced(parts, { arrived, span, exchange, end, error: errorCode(error) })
      return
    }
    const told = ends.tell(end)
    recordReply(parts, exchange, end)
    await told
    await countUnfiled(parts, exchange, end)
    await exchange.outlay?.close()
    if (span) traced(parts, { arrived, span, exchange, end, error: failureCode(end) })
  }
}

/** The same, less what no request of the model can have used, and with what was not paid as that. */
function plausible({ catalogueOf }: GatewayParts, exchange: Exchange, { usage, ...end }: ReplyEnd): ReplyEnd {
  const { tenant, trace, conversation } = exchange
  const info = catalogueOf(tenant).info(trace.answeredBy.at(-1) ?? conversation.model)
  const known = plausibleUsage(usage, info)
  if (known === undefined) return end
  return trace.sent === undefined ? { ...end, unpaid: known } : { ...end, usage: known }
}

interface TracedEnd {
  readonly arrived: ArrivedRequest
  readonly span: OpenSpan
  readonly exchange: Exchange | undefined
  readonly end: ReplyEnd
  readonly error: string | undefined
}

function traced({ stopwatch }: GatewayParts, { arrived, span, exchange, end, error }: TracedEnd): void {
  if (exchange) span.set(requestAttributes(exchange, end, stopwatch()))
  if (error !== undefined) span.fail(error)
  arrived.whenTraced?.(span.record())
}

interface Answer {
  readonly exchange: Exchange
  readonly ends: ExchangeEnds
  readonly to: AnswerTo
  readonly reply: Reply
}

function answer(parts: GatewayParts, { exchange, to, ends, reply }: Answer): Promise<ReplyEnd> {
  const { id: requestId, codec } = exchange
  const headers = ourHeaders(parts, exchange, reply)
  const ear = ends.listen(codec)
  const unasked = exchange.trace.isUsageAsked ? codec.streamUsage?.isAlone : undefined
  return deliver({ ...to, codec, requestId, headers, ear, unasked, skipped: leavingOut(parts, exchange) }, reply)
}

function ourHeaders(parts: GatewayParts, { id, codec, settings, trace }: Exchange, reply: Reply): ResponseHeaders {
  return {
    ...trace.headers,
    ...idHeaders(codec, id, reply.headers),
    'x-prehend-request-id': id,
    'x-prehend-mode': settings.mode,
    'x-prehend-overhead-ms': overheadMs(trace, parts.stopwatch()).toFixed(2),
    ...(trace.skipped.length > 0 && { 'x-prehend-skipped': trace.skipped.join(', ') }),
    ...(trace.crossed && crossedHeaders(trace.crossed)),
    ...(trace.sent ? { 'x-prehend-upstream': trace.sent.upstream } : answeredHeader(trace)),
  }
}

/** The layer that has answered, where no provider was asked. */
function answeredHeader(trace: Exchange['trace']): ResponseHeaders {
  const by = trace.layers().find(({ outcome }) => outcome === 'answered')
  return by ? { 'x-prehend-answered': by.name } : {}
}

/** In which dialect the provider was asked, and what that could not say; what a reply loses comes too late for a header. */
function crossedHeaders({ dialect, lost }: Crossed): ResponseHeaders {
  const kinds = [...Map.groupBy(lost, ({ kind }) => kind)].map(([kind, losses]) => `${kind} ${losses.length}`)
  return { 'x-prehend-crossed': dialect, ...(kinds.length > 0 && { 'x-prehend-lost': kinds.join(', ') }) }
}
