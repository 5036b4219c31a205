import type { Exchange } from '../layers/exchange.ts'
import { leavingOut } from '../layers/left-out.ts'
import type { Next } from '../layers/layer.ts'
import { failureCode, overheadMs } from '../layers/trace.ts'
import { hasLeft } from '../outlet/client.ts'
import type { Client, ClientResponse } from '../outlet/client.ts'
import { deliver } from '../outlet/deliver.ts'
import type { Reply, ReplyEnd, ResponseHeaders } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'
import type { Crossed } from '../../stores/index.ts'
import { countUnfiled } from '../telemetry/count-unfiled.ts'
import { recordReply } from '../telemetry/record-reply.ts'
import { requestAttributes } from '../telemetry/request-attributes.ts'
import { errorCode, openSpan } from '../../tracing/index.ts'
import type { OpenSpan } from '../../tracing/index.ts'
import type { ArrivedRequest } from './arrived.ts'
import { openExchange } from './open-exchange.ts'
import { refuse } from './refuse.ts'
import { requireSearchable } from './require-searchable.ts'
import { idHeaders } from './respond.ts'

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
    const ends: Told[] = []
    const span = arrived.whenTraced && openSpan('prehend.request')
    let exchange: Exchange | undefined
    let end: ReplyEnd
    try {
      exchange = openExchange(parts, arrived, { signal, span, whenEnded: (told) => void ends.push(told) })
      requireSearchable(exchange)
      end = await answer(parts, { exchange, to, reply: await way(exchange) })
    } catch (error) {
      end = await refuse(parts, { route, error, response, requestId, gone: hasLeft(signal) })
      await tell(ends, end)
      if (exchange) await countUnfiled(parts, exchange, end)
      if (span) traced(parts, { arrived, span, exchange, end, error: errorCode(error) })
      return
    }
    const told = tell(ends, end)
    recordReply(parts, exchange, end)
    await told
    await countUnfiled(parts, exchange, end)
    if (span) traced(parts, { arrived, span, exchange, end, error: failureCode(end) })
  }
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

type Told = (end: ReplyEnd) => void | Promise<void>

/** All begin at once: what they say at once stands in the log. */
async function tell(ends: readonly Told[], end: ReplyEnd): Promise<void> {
  await Promise.all(ends.map(async (told) => told(end)))
}

interface Answer {
  readonly exchange: Exchange
  readonly to: AnswerTo
  readonly reply: Reply
}

function answer(parts: GatewayParts, { exchange, to, reply }: Answer): Promise<ReplyEnd> {
  const { id: requestId, codec } = exchange
  const headers = ourHeaders(parts, exchange, reply)
  return deliver({ ...to, codec, requestId, headers, skipped: leavingOut(parts, exchange) }, reply)
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
    ...(trace.sent && { 'x-prehend-upstream': trace.sent.upstream }),
  }
}

/** In which dialect the provider was asked, and what that could not say; what a reply loses comes too late for a header. */
function crossedHeaders({ dialect, lost }: Crossed): ResponseHeaders {
  const kinds = [...Map.groupBy(lost, ({ kind }) => kind)].map(([kind, losses]) => `${kind} ${losses.length}`)
  return { 'x-prehend-crossed': dialect, ...(kinds.length > 0 && { 'x-prehend-lost': kinds.join(', ') }) }
}
