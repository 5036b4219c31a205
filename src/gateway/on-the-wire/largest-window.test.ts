import { afterEach, describe, expect, it } from 'vitest'
import type { Receipt } from '../../stores/index.ts'
import type { GatewayConfigInput } from '../index.ts'
import { parseConfig } from '../index.ts'
import { anthropicFixture, closeTestGateways, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const flag = { name: 'Anthropic-Beta', value: 'wide-2026-01-01' }
const models = {
  wide: {
    family: 'anthropic' as const,
    windowTokens: 20_000,
    maxOutputTokens: 2_000,
    largerWindow: { windowTokens: 200_000, header: flag },
    prices: { input: 2, output: 10, tiers: [{ aboveInputTokens: 20_000, input: 4, output: 15 }] },
  },
}

/** A request of about 40,000 tokens: twice the window that nobody has to ask for. */
async function askedWith(config: GatewayConfigInput, more: Record<string, string> = {}): Promise<TestGateway> {
  const gateway = await testGateway({ config: { policy: 'careful', models, ...config } })
  const response = await post(gateway, anthropicFixture, anthropicFixture.body(3, { model: 'wide' }), more)
  await response.text()
  expect(response.status).toBe(200)
  return gateway
}

async function receiptOf({ store }: TestGateway, tenant = 'default'): Promise<Receipt> {
  const [{ requestId } = { requestId: '' }] = await store.read('receipts').list(tenant, { limit: 1 })
  return (await store.read('receipts').get(tenant, requestId))!
}

/** Counts of a model that the gateway has not calibrated yet may be a tenth too low. */
const fitting = (windowTokens: number): number => Math.floor(windowTokens / 1.1)

const betaOf = ({ provider }: TestGateway): unknown => provider.requests.at(-1)?.headers['anthropic-beta']

describe('the largest window of a model (G-051)', () => {
  it('is asked for with its flag, behind those of the client, and packs have its room', async () => {
    const gateway = await askedWith({}, { 'anthropic-beta': 'one-2025-01-01, two-2025-01-01' })
    expect(betaOf(gateway)).toBe('one-2025-01-01,two-2025-01-01,wide-2026-01-01')
    const { manifest, result } = await receiptOf(gateway)
    expect(manifest?.windowTokens).toBe(fitting(200_000))
    const sent = gateway.provider.requests.at(-1)
    expect(sent?.body).not.toContain('rehydrate(')
    const { inputTokens, outputTokens } = result?.usage ?? { inputTokens: 0, outputTokens: 0 }
    expect(inputTokens).toBeGreaterThan(20_000)
    expect(result?.cost?.usd).toBeCloseTo((inputTokens * 4 + outputTokens * 15) / 1_000_000, 9)
  })

  it('is asked for once where the client asks for it, too', async () => {
    const gateway = await askedWith({}, { 'anthropic-beta': 'wide-2026-01-01' })
    expect(betaOf(gateway)).toBe('wide-2026-01-01')
  })

  it('is not asked for where a tenant does not want it: the window is the usual one', async () => {
    const tokens = [{ token: 'token-of-acme', tenant: 'acme' }]
    const own = { tokens, tenants: { acme: { largestWindow: false } } }
    const gateway = await askedWith(own, { authorization: 'Bearer token-of-acme' })
    expect(betaOf(gateway)).toBeUndefined()
    expect((await receiptOf(gateway, 'acme')).manifest?.windowTokens).toBe(fitting(20_000))
    expect(gateway.provider.requests.at(-1)?.body).toContain('rehydrate(')
  })

  it('is not asked for in mode observe, where requests go as they came, nor of other models', async () => {
    expect(betaOf(await askedWith({ mode: 'observe' }))).toBeUndefined()
    const gateway = await testGateway({ config: { models } })
    await (await post(gateway, anthropicFixture, anthropicFixture.body(1))).text()
    expect(betaOf(gateway)).toBeUndefined()
  })

  it('must be larger than the usual one, and its header one of flags', () => {
    const withLarger = (largerWindow: object) => () =>
      parseConfig({ models: { wide: { ...models.wide, largerWindow } } })
    expect(withLarger({ windowTokens: 20_000, header: flag })).toThrow(
      'models.wide.largerWindow.windowTokens: is 20000, and the usual window is 20000. Give a larger number',
    )
    const secret = { windowTokens: 200_000, header: { name: 'authorization', value: 'x' } }
    expect(withLarger(secret)).toThrow(/models\.wide\.largerWindow\.header\.name.*is not the name of a beta header/)
  })
})
