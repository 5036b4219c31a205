import { Readable } from 'node:stream'
import { Pool } from 'undici'
import type { Dispatcher } from 'undici'
import { lend } from '../../host/index.ts'
import type { BodyQueue } from './body-queue.ts'
import { bodyQueue } from './body-queue.ts'
import { passingContinue } from './pass-continue.ts'
import { decodedBody } from '../transport/decoded-body.ts'
import { endToEndHeaders, outgoingHeaders, uploadHeaders } from '../transport/hop-by-hop.ts'
import { phaseTimers } from '../transport/phase-timers.ts'
import { abortError, connectionError } from '../transport/transport-error.ts'
import type { Asked } from '../transport/transport-error.ts'
import type { Upstream, UpstreamReply, UpstreamRequest, UpstreamTimeouts } from '../transport/upstream.ts'
import { defaultTimeouts } from '../transport/upstream.ts'

export interface UpstreamOptions {
  /** For people; the origin by default. */
  readonly name?: string
  /** Scheme, host and port. */
  readonly origin: string
  /** Where a client's path lies at the origin; unchanged by default. */
  readonly pathOf?: (path: string) => string
  /** Sent with every request, over what the request brings. */
  readonly headers?: Readonly<Record<string, string>>
  readonly timeouts?: Partial<UpstreamTimeouts>
  /** Default: a pool of HTTP/1.1 connections, one for each exchange under way. */
  readonly dispatcher?: Dispatcher
}

/** A provider over the network. */
export function upstream(options: UpstreamOptions): Upstream {
  const { origin, name = origin, pathOf = (path) => path } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const dispatcher = options.dispatcher ?? connectionPool(origin, timeouts)
  return {
    name,
    close: () => dispatcher.close(),
    send(request) {
      const headers = { 'accept-encoding': 'identity', ...request.headers, ...options.headers }
      const outgoing = {
        origin,
        path: pathOf(request.path),
        method: request.method,
        headers: { ...(outgoingHeaders(headers) as Record<string, string>), ...uploadHeaders(request.upload) },
        body: bodyOf(request),
        headersTimeout: 0,
        bodyTimeout: 0,
      }
      const { signal, timeouts: patience = timeouts } = request
      return exchange({ dispatcher, outgoing, timeouts: patience, signal, asked: { name, origin } })
    },
  }
}

function bodyOf({ body, upload }: UpstreamRequest): string | Buffer | Readable | null {
  if (upload !== undefined) return Readable.from(upload.pieces, { objectMode: false })
  return typeof body === 'object' ? ownBuffer(body) : (body ?? null)
}

/** The bytes as they are; those that threads share are copied. */
function ownBuffer(body: Uint8Array): Buffer {
  const { buffer, byteOffset, byteLength } = body
  if (!(buffer instanceof ArrayBuffer)) return Buffer.from(body)
  lend(body)
  return Buffer.from(buffer, byteOffset, byteLength)
}

/**
 * HTTP/1.1, so that calling one exchange off closes one connection and touches no other. The exchange's own clock gives
 * up on a connection first; the pool's only frees the socket.
 */
function connectionPool(origin: string, { connectMs }: UpstreamTimeouts): Pool {
  return new Pool(origin, {
    allowH2: false,
    pipelining: 1,
    connect: passingContinue({ allowH2: false, timeout: connectMs + 1000 }),
    keepAliveTimeout: 30_000,
  })
}

interface ExchangeInput {
  readonly dispatcher: Dispatcher
  readonly outgoing: Dispatcher.DispatchOptions
  readonly timeouts: UpstreamTimeouts
  readonly signal: UpstreamRequest['signal']
  readonly asked: Asked
}

function exchange({ dispatcher, outgoing, timeouts, signal, asked }: ExchangeInput): Promise<UpstreamReply> {
  return new Promise((answer, refuse) => {
    let controller: Dispatcher.DispatchController | undefined
    let queue: BodyQueue | undefined
    let over = false
    const timers = phaseTimers(timeouts, (error) => stop(error, false))
    const onAbort = (): void => stop(abortError(signal.reason), true)

    function close(): void {
      over = true
      timers.stop()
      signal.removeEventListener('abort', onAbort)
    }

    function stop(error: Error, now: boolean): void {
      if (over) return
      close()
      // Of no effect where a reply was given; nobody is to wait where giving one has failed.
      refuse(error)
      queue?.fail(error, now)
      controller?.abort(error)
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        if (over) started.abort(abortError(signal.reason))
        else timers.enter('first-byte')
      },
      onResponseStart(_, status, headers) {
        if (over || status < 200) return
        timers.enter('idle')
        queue = bodyQueue({
          pause: () => (timers.pause(), controller?.pause()),
          resume: () => (timers.enter('idle'), controller?.resume()),
          cancel: () => stop(abortError('The reader left.'), true),
        })
        answer(decodedBody({ status, headers: endToEndHeaders(headers), body: queue.body }))
      },
      onResponseData(_, chunk) {
        timers.heard()
        queue?.push(chunk)
      },
      onResponseEnd() {
        close()
        queue?.end()
      },
      onResponseError: (_, error) => stop(connectionError(error, controller !== undefined, asked), false),
    }

    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    timers.enter('connect')
    try {
      dispatcher.dispatch(outgoing, handler)
    } catch (error) {
      stop(connectionError(error, false, asked), false)
    }
  })
}
