import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import type { Compile } from './compile-route.ts'
import { managementApp } from './management-app.ts'
import type { ServingParts } from '../parts.ts'
import { admission } from '../http/admission.ts'
import type { Admitted } from '../http/admission.ts'
import { authenticator } from '../http/authenticate.ts'
import { moveQueryKey, withoutTokens } from '../http/client-keys.ts'
import { failedAttempts } from '../http/failed-attempts.ts'
import { trackedConnections } from '../http/connections.ts'
import { lastOfConnection, stopping } from '../http/drain.ts'
import type { Drain } from '../http/drain.ts'
import { answerHalfClosed } from '../http/half-closed.ts'
import { exchangeHandler } from '../http/handle-exchange.ts'
import type { HandlerOptions } from '../http/handle-exchange.ts'
import { asHealthRoute } from '../http/probes.ts'
import { sendError } from '../outlet/respond.ts'
import { gatewayRooms } from '../http/rooms.ts'
import { turnAway } from '../http/turn-away.ts'

/** Who does the work, on this thread or on others. */
export interface Working extends Pick<HandlerOptions, 'carry'> {
  readonly compile: Compile
}

/**
 * What a provider answers runs on the bare server, where every microsecond is on someone's way; all else on Hono. So many threads may
 * do the work beside this one.
 */
export function requestListener(parts: ServingParts, { carry, compile }: Working, threads: number): RequestListener {
  const authenticate = authenticator(parts.config, parts)
  const attempts = failedAttempts({ clock: parts.clock, wait: (ms) => delay(ms, undefined, { ref: false }) })
  const admit = admission(parts.config, parts.dialects)
  const rooms = gatewayRooms(parts.config, threads)
  const ownKeys = withoutTokens(parts.config.tokens)
  const handle = exchangeHandler({ parts, authenticate, attempts, ownKeys, rooms, carry })
  const others = getRequestListener(managementApp(parts, { authenticate, attempts, rooms, compile }).fetch, {
    // For requests of HTTP/1.0, which need not say whom they ask.
    hostname: 'localhost',
  })
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (parts.drain.isAnnounced) lastOfConnection(response)
    asHealthRoute(request)
    moveQueryKey(request)
    let admitted: Admitted
    try {
      admitted = admit(request, response)
    } catch (error) {
      return void turnAway(parts, { request, response, error })
    }
    if (admitted === 'answered') return
    if (admitted === 'ours') return void others(request, response)
    if (parts.drain.hasBegun) {
      const refusal = { error: stopping(), codec: admitted.codec, requestId: parts.newId() }
      return void sendError(response, refusal)
    }
    if (admitted.kind === 'messages') {
      parts.metrics.inFlight.inc()
      response.on('close', () => parts.metrics.inFlight.dec())
    }
    void handle({ route: admitted, request, response, requestId: parts.newId() })
  }
}

export interface Listening {
  readonly url: string
  /** Refuses new connections, and waits for requests under way until they have ended or time is up; then it ends them. */
  close(graceMs: number): Promise<void>
}

export interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly drain: Drain
}

export async function listen(listener: RequestListener, { host, port, drain }: ListenOptions): Promise<Listening> {
  const server = createServer({ noDelay: true, keepAliveTimeout: 65_000, requestTimeout: 300_000 }, listener)
  answerHalfClosed(server)
  const connections = trackedConnections(server)
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, host, done)
  })
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${name}:${address.port}`,
    async close(graceMs) {
      drain.begin()
      let timer = setTimeout(() => {
        drain.expire()
        timer = setTimeout(() => server.closeAllConnections(), lastWordsMs)
      }, graceMs)
      await connections.close()
      clearTimeout(timer)
    },
  }
}

/** How long a client may take to read how its request ended. */
const lastWordsMs = 5000
