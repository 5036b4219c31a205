import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { codecFor } from '../codecs/index.ts'
import { authenticator } from './authenticate.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { handleModelRequest } from './model-route.ts'
import type { ModelRoute } from './model-route.ts'
import { managementApp } from './management-app.ts'

/** The model routes run on the bare server, where every microsecond is on someone's way; all others on Hono. */
export function requestListener(parts: GatewayParts): RequestListener {
  const authenticate = authenticator(parts.config.tokens)
  const routes = new Map<string, ModelRoute>([
    ['/v1/chat/completions', { codec: codecFor('openai-chat'), path: '/v1/chat/completions', authenticate }],
    ['/v1/messages', { codec: codecFor('anthropic-messages'), path: '/v1/messages', authenticate }],
  ])
  const others = getRequestListener(managementApp(parts, authenticate).fetch)
  return (request: IncomingMessage, response: ServerResponse): void => {
    const route = request.method === 'POST' ? routes.get(pathOf(request.url)) : undefined
    if (!route) return void others(request, response)
    parts.metrics.inFlight.inc()
    response.on('close', () => parts.metrics.inFlight.dec())
    void handleModelRequest(parts, route, { request, response, requestId: parts.newId() })
  }
}

function pathOf(url = '/'): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
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
