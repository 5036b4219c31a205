import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Exchange } from '../layers/exchange.ts'
import type { Next } from '../layers/layer.ts'
import { overheadMs } from '../layers/trace.ts'
import { hasLeft } from '../outlet/client.ts'
import { deliver } from '../outlet/deliver.ts'
import type { Reply, ReplyEnd, ResponseHeaders } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'
import { recordReply } from '../telemetry/record-reply.ts'
import type { Authenticate } from './authenticate.ts'
import { probeBeforeAnswer } from './half-closed.ts'
import { openExchange } from './open-exchange.ts'
import type { ProviderRoute } from './provider-route.ts'
import { refuse } from './refuse.ts'
import { idHeaders } from './respond.ts'

export interface RouteRequest {
  readonly route: ProviderRoute
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
}

export interface HandlerOptions {
  readonly parts: GatewayParts
  readonly authenticate: Authenticate
  /** The way through the layers to the provider. */
  readonly way: Next
}

/** One request from end to end: read, sent through the layers, answered, recorded. Never rejects. */
export function exchangeHandler(options: HandlerOptions): (from: RouteRequest) => Promise<void> {
  const { parts, authenticate, way } = options
  return async ({ route, request, response, requestId }) => {
    const signal = endSignal(parts, response)
    const ends: Told[] = []
    let exchange: Exchange | undefined
    let end: ReplyEnd
    try {
      const whenEnded = (told: Told): void => void ends.push(told)
      exchange = await openExchange(parts, { request, route, authenticate, requestId, signal, whenEnded })
      end = await answer(parts, { exchange, response, reply: await way(exchange) })
    } catch (error) {
      end = await refuse(parts, { route, error, response, requestId, gone: hasLeft(signal) })
      await tell(ends, end)
      return
    }
    const told = tell(ends, end)
    recordReply(parts, exchange, end)
    await told
  }
}

type Told = (end: ReplyEnd) => void | Promise<void>

/** All begin at once: what they say at once stands in the log. */
async function tell(ends: readonly Told[], end: ReplyEnd): Promise<void> {
  await Promise.all(ends.map(async (told) => told(end)))
}

/** Aborted when the client has left, and when the gateway stops and time is up. */
function endSignal({ drain }: GatewayParts, response: ServerResponse): AbortSignal {
  const abort = new AbortController()
  probeBeforeAnswer(response)
  response.on('close', () => {
    if (!response.writableFinished) abort.abort(new Error('the client closed the connection'))
  })
  drain.enter({ response, stop: (reason) => abort.abort(reason) })
  return abort.signal
}

interface Answer {
  readonly exchange: Exchange
  readonly response: ServerResponse
  readonly reply: Reply
}

function answer(parts: GatewayParts, { exchange, response, reply }: Answer): Promise<ReplyEnd> {
  const { id: requestId, codec, signal, trace } = exchange
  const skipped = (name: string, error: unknown): void => {
    trace.skip(name)
    parts.skipped(name, error, requestId)
  }
  return deliver({ response, codec, requestId, signal, headers: ourHeaders(parts, exchange, reply), skipped }, reply)
}

function ourHeaders(parts: GatewayParts, { id, codec, settings, trace }: Exchange, reply: Reply): ResponseHeaders {
  return {
    ...trace.headers,
    ...idHeaders(codec, id, reply.headers),
    'x-prehend-request-id': id,
    'x-prehend-mode': settings.mode,
    'x-prehend-overhead-ms': overheadMs(trace, parts.stopwatch()).toFixed(2),
    ...(trace.skipped.length > 0 && { 'x-prehend-skipped': trace.skipped.join(', ') }),
    ...(trace.sent && { 'x-prehend-upstream': trace.sent.upstream }),
  }
}
