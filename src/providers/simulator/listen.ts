import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { PrehendError } from '../../core/index.ts'
import type { Serve } from './fetch-form.ts'
import type { ProviderHeaders, ProviderRequest, WireResponse } from './wire.ts'

/** A simulated provider on a port of this machine. */
export interface SimulatedServer {
  /** Without a path: `http://127.0.0.1:8500`. */
  readonly url: string
  readonly port: number
  /** Breaks open connections off. */
  close(): Promise<void>
}

/** As long as a gateway's, so that no connection closes while it is used again. */
const idleMs = 65_000

/** Serves requests on a socket of this machine; port 0 takes a free one. */
export async function listenOn(serve: Serve, port: number, host = '127.0.0.1'): Promise<SimulatedServer> {
  const server = createServer({ keepAliveTimeout: idleMs }, (request, response) => {
    answer(serve, request, response).catch(() => breakOff(response))
  })
  await opened(server, port, host)
  const address = server.address() as AddressInfo
  let closed: Promise<unknown> | undefined
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    async close() {
      closed ??= closing(server)
      await closed
    },
  }
}

async function opened(server: Server, port: number, host: string): Promise<void> {
  const listening = once(server, 'listening')
  server.listen(port, host)
  try {
    await listening
  } catch (error) {
    const remedy = 'Choose another port, or end what uses this one.'
    throw new PrehendError(
      'invalid-input',
      `Cannot listen on ${host}:${port}. ${remedy}`,
      { field: 'port', remedy },
      error,
    )
  }
}

function closing(server: Server): Promise<unknown> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  return closed
}

/** Ends the connection without ending the answer; what was written still goes out. */
function breakOff(response: ServerResponse): void {
  setImmediate(() => response.socket?.destroySoon())
}

async function answer(serve: Serve, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const abort = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) abort.abort(new Error('client closed the connection'))
  })
  const served = await serve(await wireRequest(request), abort.signal)
  response.socket?.setNoDelay(true)
  response.writeHead(served.status, served.headers)
  if (typeof served.body === 'string') response.end(served.body)
  else await writeAll(served, response, abort.signal)
}

async function writeAll({ body }: WireResponse, response: ServerResponse, signal: AbortSignal): Promise<void> {
  response.flushHeaders()
  for await (const piece of body) {
    if (!response.write(piece)) await once(response, 'drain', { signal })
  }
  response.end()
}

async function wireRequest(request: IncomingMessage): Promise<ProviderRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  const wireHeaders: ProviderHeaders = headers
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: wireHeaders,
    body: Buffer.concat(chunks).toString('utf8'),
  }
}
