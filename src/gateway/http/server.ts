import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { managementApp } from '../app/management-app.ts'
import type { Next } from '../layers/layer.ts'
import type { GatewayParts } from '../parts.ts'
import { authenticator } from './authenticate.ts'
import { lastOfConnection, stopping } from './drain.ts'
import type { Drain } from './drain.ts'
import { answerHalfClosed } from './half-closed.ts'
import { exchangeHandler } from './handle-exchange.ts'
import { sendError } from './respond.ts'
import { providerRoute } from './routes.ts'

/** What a provider answers runs on the bare server, where every microsecond is on someone's way; all else on Hono. */
export function requestListener(parts: GatewayParts, way: Next): RequestListener {
  const authenticate = authenticator(parts.config.tokens)
  const handle = exchangeHandler({ parts, authenticate, way })
  const others = getRequestListener(managementApp(parts, authenticate).fetch)
  return (request: IncomingMessage, response: ServerResponse): void => {
    const route = providerRoute(request)
    if (parts.drain.hasBegun) lastOfConnection(response)
    if (route && parts.drain.hasBegun) {
      const refusal = { error: stopping(), codec: route.codec, requestId: parts.newId() }
      return void sendError(response, refusal)
    }
    if (!route) return void others(request, response)
    if (route.kind === 'messages') {
      parts.metrics.inFlight.inc()
      response.on('close', () => parts.metrics.inFlight.dec())
    }
    void handle({ route, request, response, requestId: parts.newId() })
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
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, host, done)
  })
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${name}:${address.port}`, close: (graceMs) => closeServer(server, drain, graceMs) }
}

const sweepMs = 50

/** How long a client may take to read how its request ended. */
const lastWordsMs = 1000

async function closeServer(server: Server, drain: Drain, graceMs: number): Promise<void> {
  drain.begin()
  const closed = new Promise((done) => server.close(done))
  let timer = setTimeout(() => {
    drain.expire()
    timer = setTimeout(() => server.closeAllConnections(), lastWordsMs)
  }, graceMs)
  // A connection that ends its request now is kept alive for the next one, which must not come.
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
  await closed
  clearTimeout(timer)
  clearInterval(sweep)
}
