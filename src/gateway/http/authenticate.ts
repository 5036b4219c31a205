import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { invalidInput } from '../../core/index.ts'
import type { Principal, PrincipalScope } from '../../core/index.ts'
import type { GatewayConfig } from '../config.ts'
import { isSecret } from '../keys/key-secret.ts'
import { keyIdOf } from '../key-id.ts'
import { defaultTenant } from '../tenant-names.ts'
import { settingsFor } from '../tenant-settings.ts'
import { queryKeyHeader } from './client-keys.ts'
import { keyHolders, unauthorized } from './key-holders.ts'
import type { KeyRing } from './key-holders.ts'
import { weakTokens } from './weak-tokens.ts'
import { isLoopback } from './loopback.ts'

/** Says who asks, at once where nothing has to be waited for. Throws or rejects with `unauthorized`. */
export type Authenticate = (headers: IncomingHttpHeaders) => Principal | Promise<Principal>

interface KnownToken {
  readonly digest: Buffer
  readonly principal: Principal
}

/**
 * Says who asks by the tokens of the configuration, and else by virtual keys. It compares every token, each in constant time, so that the
 * answer's timing tells nothing; keys are looked up by their hash. Keys are asked for only where there are tokens.
 */
export function authenticator(config: GatewayConfig): (headers: IncomingHttpHeaders) => Principal
export function authenticator(config: GatewayConfig, ring: KeyRing): Authenticate
export function authenticator(config: GatewayConfig, ring?: KeyRing): Authenticate {
  const { tokens } = config
  if (tokens.length === 0) {
    const anyone = principalOf(config, { tenant: defaultTenant, keyId: 'anonymous' })
    return (headers) => withAgent(anyone, headers)
  }
  const known = tokens.map((token) => knownToken(config, token))
  const ofKeys = ring && keyHolders(config, ring)
  return (headers) => {
    const presented = presentedTokens(headers)
    const digests = presented.map(sha256)
    let found: Principal | undefined
    for (const digest of digests)
      for (const entry of known) {
        if (timingSafeEqual(entry.digest, digest)) found ??= entry.principal
      }
    if (found !== undefined) return withAgent(found, headers)
    const hashes = ofKeys ? digests.filter((_, at) => isSecret(presented[at] ?? '')).map(hex) : []
    if (hashes.length === 0 || !ofKeys) throw unauthorized(presented.length > 0)
    const holder = ofKeys(hashes)
    return holder instanceof Promise
      ? holder.then((principal) => withAgent(principal, headers))
      : withAgent(holder, headers)
  }
}

function knownToken(config: GatewayConfig, given: Token): KnownToken {
  const { token, tenant, team, user, scopes } = given
  const digest = sha256(token)
  const keyId = keyIdOf(given)
  const of = { ...(team !== undefined && { team }), ...(user !== undefined && { user }) }
  const principal = principalOf(config, { tenant, keyId, ...of })
  return { digest, principal: scopes ? { ...principal, scopes } : principal }
}

type Token = GatewayConfig['tokens'][number]

/** What a configuration says of a tenant's principal. */
export function principalOf(config: GatewayConfig, named: Omit<Principal, 'scopes' | 'limits'>): Principal {
  const { limits } = settingsFor(config, named.tenant)
  return { ...named, scopes: isOperator(config, named.tenant) ? operatorScopes : tenantScopes, limits }
}

const tenantScopes: readonly PrincipalScope[] = ['inference', 'read']
const operatorScopes: readonly PrincipalScope[] = ['inference', 'read', 'admin', 'operator']

/**
 * Whether the tokens of a tenant are an operator's: `operators` names it, or the gateway listens on loopback, no other tenant has tokens and
 * no token states scopes. Beyond loopback the only token is the one that clients hold, so it is an operator's only where that is stated.
 */
function isOperator({ host, operators, tokens }: GatewayConfig, tenant: string): boolean {
  if (operators.includes(tenant)) return true
  return isLoopback(host) && tokens.every((other) => other.tenant === tenant && !other.scopes)
}

/** With the program that asks, as it names itself. */
function withAgent(principal: Principal, headers: IncomingHttpHeaders): Principal {
  const agent = /^[\w.@-]{1,60}(?=[/ ]|$)/.exec(headers['user-agent'] ?? '')?.[0]
  return agent === undefined ? principal : { ...principal, agent }
}

/** Throws when anyone on the network could use the gateway: without a token, or with one that stands in our files. */
export function requireTokenBeyondLoopback(config: GatewayConfig): void {
  const { host, tokens } = config
  if (isLoopback(host)) return
  const known = weakTokens(config).find(({ isPublic }) => isPublic)
  if (known !== undefined) throw invalidInput(known.field, known.problem, known.remedy)
  if (tokens.length > 0) return
  throw invalidInput(
    'tokens',
    `is empty, but ${host} can be reached from other machines`,
    'Set a token, or listen on 127.0.0.1.',
  )
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

function hex(digest: Buffer): string {
  return digest.toString('hex')
}
