import { PrehendError, invalidInput, isJsonObject } from '../core/index.ts'
import type { ErrorCode } from '../core/index.ts'

export interface GatewayAddress {
  readonly url: string
  readonly token?: string | undefined
}

export interface GatewayRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query. */
  readonly path: string
  readonly body?: object
}

/** What is sent as it stands: no JSON. */
export interface PlainRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
}

type RefusedCode = ErrorCode & ('unauthorized' | 'forbidden' | 'not-found' | 'conflict' | 'precondition-failed')

const codes: Readonly<Record<number, RefusedCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  412: 'precondition-failed',
}

/** Asks a gateway that runs. Rejects with what it says against it. */
export async function askGateway(at: GatewayAddress, asked: GatewayRequest): Promise<unknown> {
  const { method = 'GET', path, body } = asked
  const response = await sentTo(at, path, body === undefined ? { method } : jsonRequest(method, body))
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok && isJsonObject(answer)) return answer
  throw refusal(new URL(at.url).origin, response.status, answer)
}

/** Asks a gateway for bytes, or gives it some. Rejects with what it says against it. */
export async function askGatewayPlainly(at: GatewayAddress, asked: PlainRequest): Promise<Response> {
  const { path, ...sent } = asked
  const response = await sentTo(at, path, sent)
  if (response.ok) return response
  const answer: unknown = await response.json().catch(() => undefined)
  throw refusal(new URL(at.url).origin, response.status, answer)
}

/** A request whose body is this value as JSON. */
export function jsonRequest(method: string, body: object): RequestInit {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** Throws `invalid-input` for what is no address of a gateway. */
export function requireAddress(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return
  throw invalidInput('--url', `${JSON.stringify(url)} is no address`, 'Give one such as http://127.0.0.1:8484')
}

/** Whatever is answered. Rejects where nothing answers. */
export async function sentTo({ url, token }: GatewayAddress, path: string, sent: RequestInit): Promise<Response> {
  requireAddress(url)
  const address = new URL(path, url)
  const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...sent.headers }
  return fetch(address, { ...sent, headers }).catch((error: unknown) => {
    const remedy = 'Check that a gateway runs there'
    throw new PrehendError('upstream-unreachable', `${address.origin} does not answer. ${remedy}.`, { remedy }, error)
  })
}

/** What an answer says against a request. */
export function errorMessageIn(answer: unknown): string | undefined {
  const error = isJsonObject(answer) ? answer['error'] : undefined
  const message = isJsonObject(error) ? error['message'] : undefined
  return typeof message === 'string' ? message : undefined
}

function refusal(origin: string, status: number, answer: unknown): PrehendError {
  const message = errorMessageIn(answer)
  if (message === undefined) {
    const remedy = 'Check the address, and that both are of one version'
    return new PrehendError('not-found', `There is no gateway at ${origin}. ${remedy}.`, { what: 'gateway', remedy })
  }
  const remedy = 'See what the gateway says'
  const code = codes[status]
  if (code === undefined && status === 400) return new PrehendError('invalid-input', message, { field: '', remedy })
  if (code === undefined) return new PrehendError('unavailable', message, { remedy })
  const hint = code === 'unauthorized' ? ' Give a token with --token.' : ''
  return new PrehendError(code, message + hint, { remedy, what: 'answer' })
}
