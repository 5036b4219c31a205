import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { weakTokens } from './weak-tokens.ts'
import { authenticator, requireTokenBeyondLoopback } from './authenticate.ts'

const [first, second, third] = ['a-first-secret-token', 'a-second-secret-token', 'a-third-secret-token'] as const

const config = parseConfig({
  tokens: [
    { token: first, tenant: 'acme', name: 'acme-ci', team: 'build', user: 'robot' },
    { token: second, tenant: 'acme' },
    { token: third, tenant: 'house' },
  ],
  operators: ['house'],
  tenants: { acme: { limits: { rehydrateRounds: 3 } } },
})

const bearer = (token: string, more: Record<string, string> = {}) => ({ authorization: `Bearer ${token}`, ...more })

describe('the principal of a request', () => {
  const authenticate = authenticator(config)

  it('is that of its token, with what the configuration says of it', () => {
    const { limits, ...named } = authenticate(bearer(first, { 'user-agent': 'claude-cli/2.1.0 (external, cli)' }))
    expect(named).toEqual({
      tenant: 'acme',
      keyId: 'acme-ci',
      team: 'build',
      user: 'robot',
      agent: 'claude-cli',
      scopes: ['inference', 'read'],
    })
    expect(limits['rehydrateRounds']).toBe(3)
  })

  it('is called by the digest of a token without a name, which does not hold the token', () => {
    const one = authenticate(bearer(second))
    expect(one.keyId).toBe(createHash('sha256').update(second).digest('hex').slice(0, 12))
    expect(authenticate({ 'x-api-key': second })).toEqual(one)
    for (const token of [first, second, third]) expect(JSON.stringify(authenticate(bearer(token)))).not.toContain(token)
  })

  it('of an operator has its scope, and the limits of all where its tenant has no other', () => {
    const { scopes, limits } = authenticate(bearer(third))
    expect(scopes).toEqual(['inference', 'read', 'admin', 'operator'])
    expect(limits).toEqual(config.limits)
  })

  it('is the same for everyone where no token is asked for, but for the program', () => {
    const anyone = authenticator(parseConfig({}))
    expect(anyone({})).toMatchObject({
      tenant: 'default',
      keyId: 'anonymous',
      scopes: ['inference', 'read', 'admin', 'operator'],
    })
    expect(anyone({ 'user-agent': 'codex_cli_rs/0.5 (Linux)' }).agent).toBe('codex_cli_rs')
    expect('agent' in anyone({ 'user-agent': `${'x'.repeat(61)}/1` })).toBe(false)
  })

  it('is an operator for want of others on loopback only; beyond it `operators` or scopes say so', () => {
    const tokens = [{ token: first, tenant: 'acme' }]
    const scopesOn = (host: string, more: object = {}) =>
      authenticator(parseConfig({ host, tokens, ...more }))(bearer(first)).scopes
    expect(scopesOn('127.0.0.1')).toContain('operator')
    for (const host of ['0.0.0.0', '::', 'gateway.example']) expect(scopesOn(host)).toEqual(['inference', 'read'])
    expect(scopesOn('0.0.0.0', { operators: ['acme'] })).toContain('operator')
  })

  it('has the scopes that its token states; then no token is an operator for want of others', () => {
    const scoped = authenticator(
      parseConfig({
        tokens: [
          { token: first, tenant: 'acme', scopes: ['operator'] },
          { token: second, tenant: 'acme' },
        ],
        tenants: { 'with-keys-only': { mode: 'off' } },
      }),
    )
    expect(scoped(bearer(first)).scopes).toEqual(['operator'])
    expect(scoped(bearer(second)).scopes).toEqual(['inference', 'read'])
    const unmanaged = { tokens: [{ token: first, tenant: 'acme' }], tenants: { 'with-keys-only': {} } }
    expect(() => parseConfig(unmanaged)).toThrow('a tenant that has only keys needs a token with the scope operator')
    const wrong = { tokens: [{ token: first, tenant: 'acme', scopes: ['write'] }] }
    expect(() => parseConfig(wrong)).toThrow('tokens[0].scopes[0]')
  })

  it('is of nobody where the token is not known', () => {
    expect(() => authenticate(bearer('another-secret-token'))).toThrow('The token is not known here.')
    expect(() => authenticate({})).toThrow('A token is missing.')
  })

  it('tokens have names of their own', () => {
    const tokens = ['token-of-a', 'token-of-b'].map((token) => ({ token, tenant: 'acme', name: 'ci' }))
    expect(() => parseConfig({ tokens })).toThrow('tokens[1].name: is that of tokens[0]. Give each a name of its own.')
  })
})

describe('beyond loopback', () => {
  const starting = (token: string, host: string) => () =>
    requireTokenBeyondLoopback(parseConfig({ host, tokens: [{ token, tenant: 'acme' }] }))

  it.each(['replace-with-a-long-secret', 'change-me', 'Change-This-Operator-Token', 'OPERATOR_TOKEN'])(
    'a gateway does not start with the placeholder %s',
    (token) => {
      expect(starting(token, '0.0.0.0')).toThrow('tokens[0].token: is a placeholder of our files')
      expect(starting(token, '127.0.0.1')).not.toThrow()
    },
  )

  it('a gateway starts with any other token, and never without one', () => {
    expect(starting('5f1d7c0a', '0.0.0.0')).not.toThrow()
    expect(() => requireTokenBeyondLoopback(parseConfig({ host: '0.0.0.0' }))).toThrow('can be reached')
  })
})

it('no token that our files hold in place of a secret is taken for one', () => {
  const files = ['prehend.json', 'compose.yaml', 'kubernetes/prehend.yaml'].map((name) =>
    readFileSync(`deploy/${name}`, 'utf8'),
  )
  const written = files.flatMap((text) =>
    [...text.matchAll(/_TOKEN[:=] ?(?!\$)([\w-]+)/g)].map(([, token = '']) => token),
  )
  const found = weakTokens({ tokens: written.map((token) => ({ token, tenant: 'acme' })) })
  expect(written.length).toBeGreaterThan(2)
  expect(found.map(({ isPublic }) => isPublic)).toEqual(written.map(() => true))
})
