import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { PrehendError, invalidInput } from '../../core/index.ts'
import type { Principal } from '../../core/index.ts'
import { isOperator } from '../api/is-operator.ts'
import type { GatewayConfig } from '../config.ts'
import { keyIdOf } from '../key-id.ts'
import { defaultTenant } from '../tenant-names.ts'
import { settingsFor } from '../tenant-settings.ts'
import { queryKeyHeader } from './client-keys.ts'

/** Says who asks, at once where nothing has to be waited for. Throws or rejects with `unauthorized`. */
export type Authenticate = (headers: IncomingHttpHeaders) => Principal | Promise<Principal>

interface KnownToken {
  readonly digest: Buffer
  readonly principal: Principal
}

/** Compares every token, each in constant time, so that the answer's timing tells nothing. */
export function authenticator(config: GatewayConfig): (headers: IncomingHttpHeaders) => Principal {
  const { tokens } = config
  if (tokens.length === 0) {
    const anyone = principalOf(config, { tenant: defaultTenant, keyId: 'anonymous' })
    return (headers) => withAgent(anyone, headers)
  }
  const known = tokens.map((token) => knownToken(config, token))
  return (headers) => {
    const presented = presentedTokens(headers)
    let found: Principal | undefined
    for (const digest of presented.map(sha256))
      for (const entry of known) {
        if (timingSafeEqual(entry.digest, digest)) found ??= entry.principal
      }
    if (found === undefined) throw unauthorized(presented.length > 0)
    return withAgent(found, headers)
  }
}

function knownToken(config: GatewayConfig, given: Token): KnownToken {
  const { token, tenant, team, user } = given
  const digest = sha256(token)
  const keyId = keyIdOf(given)
  const of = { ...(team !== undefined && { team }), ...(user !== undefined && { user }) }
  return { digest, principal: principalOf(config, { tenant, keyId, ...of }) }
}

type Token = GatewayConfig['tokens'][number]

/** What a configuration says of who was told from others so. */
export function principalOf(config: GatewayConfig, named: Omit<Principal, 'scopes' | 'limits'>): Principal {
  const { limits } = settingsFor(config, named.tenant)
  return { ...named, scopes: isOperator(config, named.tenant) ? ['tenant', 'operator'] : ['tenant'], limits }
}

/** With the program that asks, as it names itself. */
function withAgent(principal: Principal, headers: IncomingHttpHeaders): Principal {
  const agent = /^[\w.@-]{1,60}(?=[/ ]|$)/.exec(headers['user-agent'] ?? '')?.[0]
  return agent === undefined ? principal : { ...principal, agent }
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

/** A client may keep a key of its own in one place and send the token in another. */
function presentedTokens(headers: IncomingHttpHeaders): readonly string[] {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  return [bearer, headers['x-api-key'], headers['x-goog-api-key'], headers[queryKeyHeader]].filter(
    (token) => typeof token === 'string',
  )
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function unauthorized(presented: boolean): PrehendError {
  const remedy = 'Send a token of this gateway as "Authorization: Bearer …" or "x-api-key".'
  const problem = presented ? 'The token is not known here.' : 'A token is missing.'
  return new PrehendError('unauthorized', `${problem} ${remedy}`, { remedy })
}
