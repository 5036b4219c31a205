import { describe, expect, it } from 'vitest'
import { careful, composePolicy } from '../compiler/index.ts'
import { parseConfig } from './config.ts'
import { gatewayPolicies } from './policies.ts'

describe('policies of a gateway', () => {
  it('X-30: a tenant goes before settings for all, those before the policy, and it before a default', () => {
    const epochs = { keepFull: 4, keepErrors: 4, callTokens: 44 }
    const config = parseConfig({
      policy: { extends: 'careful', id: 'house', version: '1.0.0', epochs },
      settings: { epochs_keep_full: '5', epochs_keep_errors: 5 },
      tenants: { acme: { metadata: { epochs_keep_full: 6 } } },
    })
    const house = gatewayPolicies(config).named('house', 'policy')
    expect(composePolicy(house, { tenant: 'acme' }).policy.epochs).toEqual({
      ...careful.epochs,
      keepFull: 6,
      keepErrors: 5,
      callTokens: 44,
    })
    expect(composePolicy(house, { tenant: 'other' }).policy.epochs.keepFull).toBe(5)
  })

  it('P-031: cannot be changed once it is loaded', () => {
    const { all } = gatewayPolicies(parseConfig({ settings: { epochs_keep_full: 5 } }))
    const { careful: own } = all
    expect(() => Object.assign(own!.epochs, { keepFull: 1 })).toThrow(TypeError)
    expect(own!.version).toMatch(/^\d+\.\d+\.\d+\+set\.[0-9a-f]{8}$/)
  })
})
