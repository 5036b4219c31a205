import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { PrehendError, invalidInput } from '../../core/index.ts'
import type { GatewayConfig } from '../config.ts'

/** The tenant of everyone where no tokens are asked for. */
export const defaultTenant = 'default'

/** Names the tenant a request speaks for. Throws `unauthorized`. */
export type Authenticate = (headers: IncomingHttpHeaders) => string

interface Digest {
  readonly digest: Buffer
  readonly tenant: string
}

/** Compares every token, each in constant time, so that the answer's timing tells nothing. */
export function authenticator(tokens: GatewayConfig['tokens']): Authenticate {
  if (tokens.length === 0) return () => defaultTenant
  const known: Digest[] = tokens.map(({ token, tenant }) => ({ digest: sha256(token), tenant }))
  return (headers) => {
    const presented = presentedToken(headers)
    const digest = presented === undefined ? undefined : sha256(presented)
    let tenant: string | undefined
    for (const entry of known) {
      if (digest && timingSafeEqual(entry.digest, digest)) tenant ??= entry.tenant
    }
    if (tenant === undefined) throw unauthorized(presented !== undefined)
    return tenant
  }
}

/** Throws when anyone on the network could use the gateway. */
export function requireTokenBeyondLoopback({ host, tokens }: GatewayConfig): void {
  if (tokens.length > 0 || isLoopback(host)) return
  throw invalidInput(
    'tokens',
    `is empty, but ${host} can be reached from other machines`,
    'Set a token, or listen on 127.0.0.1.',
  )
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true
  return isIP(host) === 4 && host.startsWith('127.')
}

function presentedToken(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined) return bearer
  const key = headers['x-api-key'] ?? headers['x-goog-api-key']
  return typeof key === 'string' ? key : undefined
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function unauthorized(presented: boolean): PrehendError {
  const remedy = 'Send a token of this gateway as "Authorization: Bearer …" or "x-api-key".'
  const problem = presented ? 'The token is not known here.' : 'A token is missing.'
  return new PrehendError('unauthorized', `${problem} ${remedy}`, { remedy })
}
