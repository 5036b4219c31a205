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
    const known = gatewayPolicies(config)
    const houseOf = (tenant: string) => known.named({ id: 'house', field: 'policy', tenant })
    expect(composePolicy(houseOf('acme'), { tenant: 'acme' }).policy.epochs).toEqual({
      ...careful.epochs,
      keepFull: 6,
      keepErrors: 5,
      callTokens: 44,
    })
    expect(composePolicy(houseOf('other'), { tenant: 'other' }).policy.epochs.keepFull).toBe(5)
  })

  it.each([
    [['a', 'b'], ['b', 'a'], 'policies[0].extends: b stands below, at policies[1]. Extend one that stands above'],
    [['a'], ['a'], 'policies[0].extends: a is the policy itself. Extend one that stands above'],
    [['a'], ['carefull'], 'policies[0].extends: carefull is not a policy. Did you mean careful?'],
  ])('a policy extends one above it: %j by %j', (ids, bases, message) => {
    const written = ids.map((id, index) => ({ extends: bases[index], id, version: '1.0.0' }))
    expect(() => gatewayPolicies({ policy: 'careful', policies: written, settings: {}, tenants: {} })).toThrow(message)
  })

  it.each([
    [{ reserve_share: 1 }, 'prehend.settings.reserve_share: leaves no room for a request. Give less than 1.'],
    [{ reserve_share: -0 }, 'prehend.settings.reserve_share: is negative zero.'],
    [
      { pressure_prepare: 0.9 },
      'prehend.settings.pressure_prepare: pressure of careful does not rise: 0.9, 0.85, 0.95.',
    ],
  ])('what settings make wrong is told by their name: %j', (settings, message) => {
    const { saying } = gatewayPolicies(parseConfig({}))
    expect(() => saying({ policy: careful, situation: undefined, settings, at: 'prehend.settings' })).toThrow(message)
  })

  it('one setting that there is not is one short line, with the name that was meant', () => {
    const { saying } = gatewayPolicies(parseConfig({}))
    const settings = { tools_selecton: 'meta' }
    const told = 'prehend.settings.tools_selecton: is not a setting. Did you mean tools_selection? Settings go by'
    const line = new RegExp(`^${told.replaceAll(/[.?]/g, '[$&]')}.{1,120}$`)
    expect(() => saying({ policy: careful, situation: undefined, settings, at: 'prehend.settings' })).toThrow(line)
  })

  it('what is wrong beside a setting that there is not has a line of its own', () => {
    const { saying } = gatewayPolicies(parseConfig({}))
    const settings = { tools_selecton: 'meta', context_tokens: 1 }
    const lines = /^prehend[.]settings[.]tools_selecton: .*\nprehend[.]settings[.]context_tokens: .*$/
    expect(() => saying({ policy: careful, situation: undefined, settings, at: 'prehend.settings' })).toThrow(lines)
  })

  it('a limit of one section is told by that section', () => {
    const told =
      'settings.tools_max: cannot pack the smallest conversation: the policy allows tools fewer tokens than one definition or message takes. Raise the limit of tools, or leave it out.'
    expect(() => parseConfig({ settings: { tools_max: 5 } })).toThrow(told)
    expect(() => parseConfig({ settings: { context_tokens: 1 } })).toThrow(/it needs 42 tokens and has 0[.]/)
  })

  it('P-031: cannot be changed once it is loaded', () => {
    const { careful: own } = gatewayPolicies(parseConfig({ settings: { epochs_keep_full: 5 } })).of('acme')
    expect(() => Object.assign(own!.epochs, { keepFull: 1 })).toThrow(TypeError)
    expect(own!.version).toMatch(/^\d+\.\d+\.\d+\+set\.[0-9a-f]{8}$/)
  })
})
