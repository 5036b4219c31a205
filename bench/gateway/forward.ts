import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Pool } from 'undici'

export interface Forwarded {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
}

/** Sends a request on with its bytes, and copies what comes back. */
export function forward(pool: Pool, { request, response, body }: Forwarded, done?: () => void): void {
  const { 'host': _host, 'connection': _connection, 'content-length': _length, ...headers } = request.headers
  const options = { path: request.url ?? '/', method: 'POST' as const, headers, body }
  pool.dispatch(options, {
    onRequestStart: () => undefined,
    onResponseStart(_controller, status, responseHeaders) {
      response.writeHead(status, responseHeaders as Record<string, string>)
    },
    onResponseData: (_controller, data) => void response.write(data),
    onResponseEnd() {
      response.end()
      done?.()
    },
    onResponseError: () => void response.destroy(),
  })
}
