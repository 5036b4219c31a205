import { describe, expect, it } from 'vitest'
import { parseConfig } from '../index.ts'
import { keyIdOf } from '../key-id.ts'
import { budgetsOf, scopesOfTenant } from './budgets-of.ts'

const one = (requestsPerDay: number) => ({ requestsPerDay })

describe('who has limits of those that a request concerns', () => {
  const config = parseConfig({
    tokens: [
      { token: 'first-token', tenant: 'acme', team: 'web', budgets: one(1) },
      { token: 'second-token', tenant: 'acme', name: 'ops' },
      { token: 'third-token', tenant: 'free' },
      { token: 'fourth-token', tenant: 'plain' },
    ],
    budgets: one(5),
    tenants: { acme: { budgets: one(3), teams: { web: { budgets: one(2) }, none: {} } }, free: { budgets: {} } },
  })
  const of = budgetsOf(config)
  const keyId = keyIdOf({ token: 'first-token' })

  it('is the tenant, the team and the key, each by its own limits', () => {
    expect(of({ tenant: 'acme', team: 'web', keyId })).toEqual([
      { kind: 'tenant', name: '', limits: one(3) },
      { kind: 'team', name: 'web', limits: one(2) },
      { kind: 'key', name: keyId, limits: one(1) },
    ])
    expect(of({ tenant: 'acme', team: 'none', keyId: 'ops' })).toEqual([{ kind: 'tenant', name: '', limits: one(3) }])
    expect(of({ tenant: 'plain', keyId })).toEqual([{ kind: 'tenant', name: '', limits: one(5) }])
    expect(of({ tenant: 'free', keyId: 'x' })).toEqual([])
    expect(of({ tenant: 'acme', team: 'toString', keyId: 'constructor' })).toHaveLength(1)
    expect(scopesOfTenant(config, 'acme', []).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'tenant ',
      'team web',
      `key ${keyId}`,
    ])
  })

  it('is a virtual key, which brings its limits, under the name of the first that it replaces', () => {
    const plain = budgetsOf(parseConfig({}))
    const spending = { name: 'key_first', limits: { usdPerDay: 2 } }
    expect(plain({ tenant: 'acme', keyId: 'key_third', spending })).toEqual([
      { kind: 'key', name: 'key_first', limits: { usdPerDay: 2 } },
    ])
    expect(plain({ tenant: 'acme', keyId: 'key_other' })).toEqual([])
    const key = { tenant: 'acme', name: 'k', hash: '', prefix: '', scopes: [], createdMs: 0, revision: 1 }
    const keys = [
      { ...key, id: 'key_first', budgets: { usdPerDay: 1 }, replacedBy: 'key_third' },
      { ...key, id: 'key_third', budgets: { usdPerDay: 2 }, budgetsOf: 'key_first' },
      { ...key, id: 'key_gone', budgets: { usdPerDay: 3 }, revokedMs: 1 },
      { ...key, id: 'key_free' },
    ]
    expect(scopesOfTenant(parseConfig({}), 'acme', keys)).toEqual([
      { kind: 'key', name: 'key_first', limits: { usdPerDay: 2 } },
    ])
  })

  it('is nobody where a budget limits nothing, and a wrong budget is named', () => {
    const nobody = budgetsOf(parseConfig({ budgets: { outputTokens: 100 } }))
    expect(nobody({ tenant: 'default', keyId: 'anonymous' })).toEqual([])
    expect(() => parseConfig({ tenants: { default: { budgets: { usdPerDya: 1 } } } })).toThrow(
      /tenants\.default\.budgets/,
    )
    expect(() => parseConfig({ budgets: { usdPerDay: -1 } })).toThrow(/^budgets\.usdPerDay: /)
  })
})
