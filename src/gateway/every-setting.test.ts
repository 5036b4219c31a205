import { describe, expect, it } from 'vitest'
import { policies, policySettingNames, settingPath, settingSchema } from '../compiler/index.ts'
import type { JsonObject, Policy } from '../core/index.ts'
import { isPrehendError } from '../core/index.ts'
import { compileMemory, compilers, singleRequest } from '../sessions/index.ts'
import { modelCatalogue } from '../tokens/index.ts'
import { parseConfig } from './config.ts'
import { gatewayPolicies } from './policies.ts'

const tools = [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object' } }]
const request = {
  model: 'claude-sonnet-4-6',
  max_tokens: 64,
  tools,
  system: 'You are an agent.',
  messages: [
    { role: 'user', content: 'Find the value.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'The value is 7.' }] },
  ],
}

/** No setting says more than this of tokens or turns. */
const large = 1_000_000

/** Values at both ends of what a setting may be. */
function endsOf({ type, minimum, exclusiveMinimum, maximum, enum: words, anyOf }: JsonObject): readonly unknown[] {
  if (Array.isArray(words)) return words
  if (Array.isArray(anyOf)) return anyOf.flatMap((one) => endsOf(one as JsonObject))
  if (type === 'boolean') return [true, false]
  if (type === 'array') return [[]]
  if (type === 'object') return [{}]
  if (type !== 'integer' && type !== 'number') return []
  const least = Number(minimum ?? Number(exclusiveMinimum ?? 0) + 1e-9)
  const most = Number(maximum ?? large)
  const share = type === 'number' && most === 1 ? [0.001, 0.7, 0.999] : [least + 1]
  return [least, ...share, most]
}

const phases = (percentages: object, more: object = {}) => ({ phase_overrides: { executing: percentages }, ...more })
const contextPolicies = [
  phases({}),
  phases({ tools: 100 }),
  phases({ reserved: 100 }),
  phases({ tools: 0, semantic: 0, working: 0, episodic: 0, reserved: 100 }, { zero_means_default: false }),
]

const cases = policySettingNames.flatMap((name) => {
  const schema = settingSchema(name)
  const values = name === 'context_policy' ? contextPolicies : schema === undefined ? [] : endsOf(schema)
  return values.map((value) => ({ name, value }))
})

const catalogue = modelCatalogue({ tokenizer: 'heuristic' })
const compile = compilers(catalogue)

/** A setting that goes by the name of another product is the same setting; those are tried under one policy. */
const casesFor = (id: string) => (id === 'careful' ? cases : cases.filter(({ name }) => settingPath(name) === name))

/** What became of a request: refused by name, or packed. */
function ended(policyOf: () => Policy, named: RegExp): string {
  let policy: Policy
  try {
    policy = policyOf()
  } catch (error) {
    return isPrehendError(error) && named.test(error.message) ? 'refused' : String(error)
  }
  const { input } = singleRequest(JSON.stringify(request), request, { catalogue, policy })
  try {
    return compile(request.model, { ...input, situation: { tenant: 'acme' } }, compileMemory()).outcome.kind
  } catch (error) {
    return String(error)
  }
}

describe('every setting of a policy, at both ends of what it may be: a request is packed, or the setting refused by name', () => {
  /** A careful one, one with defense, with fractions, and with slots. */
  const byRequest = new Set(['careful', 'guarded', 'agent-phases', 'gateway-128k'])
  const conversational = Object.keys(policies).filter((id) => id !== 'step-pack')

  it('has values for every setting', () => {
    expect([...new Set(cases.map(({ name }) => name))]).toEqual(policySettingNames)
  })

  it.each(conversational)('C-018, C-027: of a tenant, and of a request, under %s', (id) => {
    const plain = gatewayPolicies(parseConfig({ policy: id }))
    const base = plain.named({ id, field: 'policy', tenant: 'acme' })
    const found: unknown[] = []
    for (const { name, value } of casesFor(id)) {
      const settings = { [name]: value }
      const ofTenant = (): Policy =>
        gatewayPolicies({ policy: id, policies: [], settings: {}, tenants: { acme: { metadata: settings } } }).named({
          id,
          field: 'policy',
          tenant: 'acme',
        })
      const ofRequest = (): Policy =>
        plain.saying({ policy: base, situation: { tenant: 'acme' }, settings, at: 'prehend.settings' })
      const ends = [ended(ofTenant, new RegExp(`^tenants\\.acme\\.metadata\\.${name}[:.]`))]
      if (byRequest.has(id)) ends.push(ended(ofRequest, new RegExp(`^prehend\\.settings\\.${name}[:.]`)))
      if (ends.some((end) => end !== 'ok' && end !== 'refused')) found.push([name, value, ...ends])
    }
    expect(found).toEqual([])
  })

  it('of all tenants', () => {
    const found: unknown[] = []
    for (const { name, value } of casesFor('guarded')) {
      const settings = { [name]: value }
      const ofAll = (): Policy => {
        const config = parseConfig({ policy: 'guarded', settings })
        return gatewayPolicies(config).named({ id: 'guarded', field: 'policy', tenant: 'acme' })
      }
      const end = ended(ofAll, new RegExp(`^settings\\.${name}[:.]`))
      if (end !== 'ok' && end !== 'refused') found.push([name, value, end])
    }
    expect(found).toEqual([])
  })

  it('what can be set can be used: most values are taken', () => {
    const taken = cases.filter(({ name, value }) => {
      try {
        return parseConfig({ tenants: { acme: { metadata: { [name]: value } } } })
      } catch {
        return false
      }
    })
    expect(taken.length / cases.length).toBeGreaterThan(0.8)
  })
})
