import { afterEach, describe, expect, it } from 'vitest'
import type { GatewayConfigInput } from '../index.ts'
import { receiptsOf } from './proven.fixture.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const off = { prompt_cache_enabled: 'false' }
const tokens = [{ token: 'token-of-acme', tenant: 'acme' }]
const asAcme = { 'x-api-key': 'token-of-acme', 'authorization': 'Bearer token-of-acme' }

interface Way {
  readonly name: string
  readonly config?: GatewayConfigInput
  readonly more?: Record<string, unknown>
  readonly headers?: Record<string, string>
}

/** Every place in which a switch can be set. */
const ways: readonly Way[] = [
  { name: 'for all', config: { settings: off } },
  { name: 'by a policy', config: { policy: { extends: 'thrifty', id: 'own', version: '1.0.0', promptCache: false } } },
  { name: 'by a tenant', config: { tokens, tenants: { acme: { metadata: off } } }, headers: asAcme },
  { name: 'by a request', more: { prehend: { settings: off } } },
]

/** A long agent's run, with silences in which a prompt would be kept warm. */
async function run(gateway: TestGateway, { more = {}, headers = {} }: Partial<Way>, dialect = anthropicFixture) {
  for (const results of [3, 4, 5]) {
    const response = await post(gateway, dialect, dialect.body(results, more), headers)
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
    await gateway.clock.advance(280_000)
  }
  return gateway.provider.requests
}

const marks = (body: string): number => body.split('cache_control').length - 1

describe('C-001, C-023: the provider’s prompt cache, and what is read from it', () => {
  it.each(ways)('is left alone where it is switched off: $name', async ({ config = {}, ...way }) => {
    const gateway = await testGateway({ config, script: () => 'done' })
    const sent = await run(gateway, way)
    expect(sent.map(({ body }) => marks(body))).toEqual([0, 0, 0])
    for (const { usage } of sent) expect([usage?.cacheReadTokens ?? 0, usage?.cacheWriteTokens ?? 0]).toEqual([0, 0])
  })

  it('is used where nobody says so, and by who says so against all', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    const sent = await run(gateway, {})
    expect(sent.length).toBeGreaterThanOrEqual(3)
    for (const { body } of sent) expect(marks(body)).toBeGreaterThan(0)
    expect(sent.at(-1)?.usage?.cacheReadTokens).toBeGreaterThan(0)
    const shut = await testGateway({ config: { settings: off }, script: () => 'done' })
    const own = await run(shut, { more: { prehend: { settings: { prompt_cache: true } } } })
    for (const { body } of own) expect(marks(body)).toBeGreaterThan(0)
  })

  it('of a provider with a dialect of its own is left alone as well', async () => {
    const gateway = await testGateway({ config: { settings: off }, script: () => 'done', speaks: 'anthropic-messages' })
    const sent = await run(gateway, { more: { model: 'claude-sonnet-4-6' } }, openaiFixture)
    expect(sent.map(({ path, body }) => [path, marks(body)])).toEqual(sent.map(() => ['/v1/messages', 0]))
  })

  it('keeps what the client marks itself', async () => {
    const gateway = await testGateway({ config: { settings: off }, script: () => 'done' })
    const system = [{ type: 'text', text: 'You are an agent. '.repeat(300), cache_control: { type: 'ephemeral' } }]
    const [first] = await run(gateway, { more: { system } })
    expect(marks(first?.body ?? '')).toBe(1)
  })
})

describe('C-026: what nothing has used', () => {
  it('stands in receipts and is counted where it is tracked', async () => {
    const gateway = await testGateway({ config: { settings: { context_waste_tracking: true } }, script: () => 'done' })
    await run(gateway, {})
    const waste = (await receiptsOf(gateway)).map(({ manifest }) => manifest.waste)
    expect(waste.map((one) => one?.unusedItems)).toEqual([2, 3, 4])
    expect(waste.at(-1)?.unusedTokens).toBe(waste.at(-1)?.sentTokens)
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    const counted = /prehend_followed_tokens_total\{use="unused"\} (\d+)/.exec(metrics)?.[1]
    expect(Number(counted)).toBe(waste.reduce((sum, one) => sum + (one?.unusedTokens ?? 0), 0))
  })

  it('is not looked for elsewhere', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await run(gateway, {})
    for (const { manifest } of await receiptsOf(gateway)) expect('waste' in manifest).toBe(false)
  })
})

describe('what a request says of figures', () => {
  it('C-027: goes before all else, and is refused by name where it is wrong', async () => {
    const overrides = { tenant: { default: { epochs: { keepFull: 3 } } } }
    const policy = { extends: 'careful', id: 'own', version: '1.0.0', overrides }
    const gateway = await testGateway({ config: { policy, settings: { epochs_keep_full: 4 } }, script: () => 'done' })
    const asked = async (settings: unknown) =>
      post(gateway, anthropicFixture, anthropicFixture.body(1, { prehend: { settings } }))
    await (await asked({ epochs_keep_full: 5 })).text()
    const [receipt] = await receiptsOf(gateway)
    expect(receipt?.input?.policy.epochs.keepFull).toBe(5)
    expect(receipt?.manifest.policyVersion).toMatch(/^1\.0\.0\+set\.[0-9a-f]{8}/)
    for (const [wrong, field] of [
      [{ tool_schemas: 'most' }, 'prehend.settings.tool_schemas'],
      [{ tool_scemas: 'none' }, 'prehend.settings.tool_scemas'],
      ['none', 'prehend.settings: is not an object. Correct it or leave it out.'],
    ] as const) {
      const response = await asked(wrong)
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(field)])
    }
  })
})
