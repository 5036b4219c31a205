import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { managementApp } from '../app/management-app.ts'
import type { Next } from '../layers/layer.ts'
import type { GatewayParts } from '../parts.ts'
import { admission } from './admission.ts'
import type { Admitted } from './admission.ts'
import { authenticator } from './authenticate.ts'
import { exchangeHandler } from './handle-exchange.ts'
import { turnAway } from './turn-away.ts'

/** What a provider answers runs on the bare server, where every microsecond is on someone's way; all else on Hono. */
export function requestListener(parts: GatewayParts, way: Next): RequestListener {
  const authenticate = authenticator(parts.config.tokens)
  const admit = admission(parts.config)
  const handle = exchangeHandler({ parts, authenticate, way })
  const others = getRequestListener(managementApp(parts, authenticate).fetch)
  return (request: IncomingMessage, response: ServerResponse): void => {
    let admitted: Admitted
    try {
      admitted = admit(request, response)
    } catch (error) {
      return void turnAway(parts, { request, response, error })
    }
    if (admitted === 'answered') return
    if (admitted === 'ours') return void others(request, response)
    if (admitted.kind === 'messages') {
      parts.metrics.inFlight.inc()
      response.on('close', () => parts.metrics.inFlight.dec())
    }
    void handle({ route: admitted, request, response, requestId: parts.newId() })
  }
}

export interface Listening {
  readonly url: string
  /** Refuses new connections, and waits for those under way until they have ended or time is up. */
  close(graceMs: number): Promise<void>
}

export async function listen(listener: RequestListener, host: string, port: number): Promise<Listening> {
  const server = createServer({ noDelay: true, keepAliveTimeout: 65_000, requestTimeout: 300_000 }, listener)
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, host, done)
  })
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${name}:${address.port}`, close: (graceMs) => closeServer(server, graceMs) }
}

const sweepMs = 50

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs)
    // A connection that ends its request now is kept alive for the next one, which must not come.
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
    server.close(() => {
      clearTimeout(timer)
      clearInterval(sweep)
      done()
    })
    server.closeIdleConnections()
  })
}
