import { PrehendError, invalidInput, isJsonObject } from '../core/index.ts'
import type { ErrorCode } from '../core/index.ts'

export interface GatewayAddress {
  readonly url: string
  readonly token?: string | undefined
}

export interface GatewayRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With its query. */
  readonly path: string
  readonly body?: object
}

const codes: Readonly<Record<number, ErrorCode & ('unauthorized' | 'forbidden' | 'not-found' | 'conflict')>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
}

/** Asks a gateway that runs. Rejects with what it says against it. */
export async function askGateway({ url, token }: GatewayAddress, asked: GatewayRequest): Promise<unknown> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalidInput('--url', `${JSON.stringify(url)} is no address`, 'Give one such as http://127.0.0.1:8484')
  const { method = 'GET', path, body } = asked
  const address = new URL(path, url)
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const response = await fetch(address, sent).catch((error: unknown) => {
    const remedy = 'Check that a gateway runs there'
    throw new PrehendError('upstream-unreachable', `${address.origin} does not answer. ${remedy}.`, { remedy }, error)
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok && isJsonObject(answer)) return answer
  throw refusal(address.origin, response.status, answer)
}

function refusal(origin: string, status: number, answer: unknown): PrehendError {
  const error = isJsonObject(answer) ? answer['error'] : undefined
  const message = isJsonObject(error) ? error['message'] : undefined
  if (typeof message !== 'string') {
    const remedy = 'Check the address, and that both are of one version'
    return new PrehendError('not-found', `There is no gateway at ${origin}. ${remedy}.`, { what: 'gateway', remedy })
  }
  const remedy = 'See what the gateway says'
  const code = codes[status]
  if (code === undefined && status === 400) return new PrehendError('invalid-input', message, { field: '', remedy })
  if (code === undefined) return new PrehendError('unavailable', message, { remedy })
  const hint = code === 'unauthorized' ? ' Give a token with --token.' : ''
  return new PrehendError(code, message + hint, { remedy, what: 'key' })
}
