import type { ServerResponse } from 'node:http'
import { PrehendError, errorPlaces, isPrehendError } from '../core/index.ts'
import type { Codec } from '../codecs/index.ts'

export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>

/** Sends a whole body; nothing happens when the client has gone. */
export function sendBody(
  response: ServerResponse,
  { status, headers, body }: { status: number; headers: ResponseHeaders; body: string | Buffer },
): void {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) } as Record<
    string,
    string
  >)
  response.end(body)
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: ResponseHeaders = {},
): void {
  sendBody(response, {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  })
}

/** Answers with an error in the dialect of the route. */
export function sendError(
  response: ServerResponse,
  { error, codec, requestId }: { error: unknown; codec: Codec; requestId: string },
): PrehendError {
  const known = toPrehendError(error)
  const headers = { 'content-type': 'application/json', 'x-request-id': requestId, ...retryAfter(known) }
  sendBody(response, { status: errorPlaces[known.code].httpStatus, headers, body: codec.encodeError(known, requestId) })
  return known
}

/** Anything that was thrown, as the one error type; what was not foreseen tells nothing of the inside. */
export function toPrehendError(error: unknown): PrehendError {
  if (isPrehendError(error)) return error
  const remedy = 'Try again; if it happens again, report it with the request id.'
  return new PrehendError('internal', `Something went wrong inside the gateway. ${remedy}`, { remedy }, error)
}

function retryAfter(error: PrehendError): ResponseHeaders {
  if (error.code !== 'rate-limited' || !('retryAfterMs' in error.data)) return {}
  return { 'retry-after': String(Math.ceil((error.data.retryAfterMs ?? 0) / 1000)) }
}
