import { PrehendError, isPrehendError } from '../../core/index.ts'
import { clientStatus } from '../../codecs/index.ts'
import type { Codec } from '../../codecs/index.ts'
import type { ClientResponse } from './client.ts'
import type { ResponseHeaders } from './reply.ts'
import { endWith } from './write-out.ts'
import { discardBody } from './discard-body.ts'

/** Sends a whole body; nothing happens when the client has gone. */
export function sendBody(
  response: ClientResponse,
  { status, headers, body }: { status: number; headers: ResponseHeaders; body: string | Uint8Array },
): void {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) })
  if (typeof body === 'string') response.end(body)
  else endWith(response, body)
}

export interface Failure {
  readonly error: PrehendError
  readonly codec: Codec
  readonly requestId: string
}

/** Answers with an error in the dialect of the route, also while the client is still sending. */
export async function sendError(response: ClientResponse, { error, codec, requestId }: Failure): Promise<void> {
  if (response.destroyed || response.headersSent) return
  const { req: request } = response
  const body = codec.encodeError(error, requestId)
  response.writeHead(clientStatus(error), {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...idHeaders(codec, requestId),
    'x-prehend-request-id': requestId,
    ...whenAgain(error),
    // The official SDKs try a 503 again unless told otherwise; this one stays as it is.
    ...(error.code === 'not-configured' && { 'x-should-retry': 'false' }),
    ...(error.code === 'no-upgrade' && { upgrade: 'HTTP/1.1' }),
    ...(request?.complete === false && { connection: 'close' }),
  })
  response.write(body)
  if (request) await discardBody(request)
  response.end()
}

/** A request's name: the provider's own where there is one, under the name that the dialect's clients look for. */
export function idHeaders(codec: Codec, requestId: string, theirs: ResponseHeaders = {}): ResponseHeaders {
  const ids: Record<string, string | readonly string[]> = { 'x-request-id': theirs['x-request-id'] ?? requestId }
  const { requestIdHeader: own } = codec
  if (own !== undefined) ids[own] = theirs[own] ?? requestId
  return ids
}

/** Anything that was thrown, as the one error type; what was not foreseen tells nothing of the inside. */
export function toPrehendError(error: unknown): PrehendError {
  if (isPrehendError(error)) return error
  const remedy = 'Try again; if it happens again, report it with the request id.'
  return new PrehendError('internal', `Something went wrong inside the gateway. ${remedy}`, { remedy }, error)
}

/** The methods of a path that was asked with another one (RFC 9110, 15.5.6). */
export function allowHeader(error: PrehendError): { readonly allow?: string } {
  return 'allow' in error.data ? { allow: error.data.allow.join(', ') } : {}
}

/** When it is worth while to ask again, where the error knows; the official SDKs try a 429 again unless told otherwise. */
export function whenAgain(error: PrehendError): {
  readonly 'retry-after'?: string
  readonly 'x-should-retry'?: 'false'
} {
  const isFinal = error.code === 'rate-limited' && !('retryAfterMs' in error.data)
  if (isFinal) return { 'x-should-retry': 'false' }
  if (!('retryAfterMs' in error.data)) return {}
  return { 'retry-after': String(Math.ceil((error.data.retryAfterMs ?? 0) / 1000)) }
}
