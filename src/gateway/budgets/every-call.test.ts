import { afterEach, describe, expect, it } from 'vitest'
import { simulatedProvider } from '../../providers/index.ts'
import type { SimulatedProvider } from '../../providers/index.ts'
import type { Store } from '../../stores/index.ts'
import { priceOf, shippedCatalogue } from '../../tokens/index.ts'
import { chats, chatTurns } from '../on-the-wire/chats.fixture.ts'
import {
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  testGateway,
} from '../on-the-wire/test-gateway.fixture.ts'
import { closeThreadedGateways, startedThread, threadedGateway } from '../on-the-wire/threads.fixture.ts'

const servers: (() => Promise<void>)[] = []
afterEach(async () => {
  await closeTestGateways()
  await closeThreadedGateways()
  for (const close of servers.splice(0)) await close()
})

const minute = 60_000

/** What a provider bills, in billionths of a dollar. */
function billed({ requests }: SimulatedProvider): number {
  const usd = requests.map(({ usage, json }) => {
    const model = String(json?.['model'])
    return usage ? (priceOf(usage, shippedCatalogue.info(model)) ?? 0) : 0
  })
  return usd.reduce((total, one) => total + one * 1e9, 0)
}

async function counted(store: Pick<Store, 'read'>, unit = 'nanoUsd'): Promise<number> {
  const { sums } = await store.read('spending').standing('default', { since: '2026-01-01', ids: [] })
  return sums.filter((sum) => sum.unit === unit).reduce((total, { amount }) => total + amount, 0)
}

const budgets = { usdPerMonth: 1000, requestsPerMonth: 1000 }

describe('whatever goes upstream counts against budgets', () => {
  it('prompts that are kept warm', async () => {
    const gateway = await testGateway({ config: { budgets } })
    for (const [index, silence] of [0, 10, 10, 10].entries()) {
      await gateway.clock.advance(silence * minute)
      await (await post(gateway, anthropicFixture, anthropicFixture.body(index + 1))).text()
    }
    const refreshes = gateway.provider.requests.filter(({ json }) => json?.['max_tokens'] === 0)
    expect(refreshes.length).toBeGreaterThan(0)
    await expect.poll(() => counted(gateway.store, 'requests')).toBe(4)
    const all = gateway.provider.requests.length
    await expect.poll(async () => Math.abs((await counted(gateway.store)) - billed(gateway.provider))).toBeLessThan(all)
  })

  it('summaries that a model writes, which are no requests of the client', async () => {
    const policy = {
      id: 'short-chats',
      version: '1.0.0',
      extends: 'careful',
      sections: [{ section: 'history', max: 2000 }],
      summaries: { writer: 'model', recall: 'required' },
    }
    const script = ({ body }: { readonly body: string }): string =>
      body.includes('You summarise a part') ? 'They went through one topic after the other.' : 'Understood.'
    const gateway = await testGateway({ config: { budgets, policy, summaries: { model: 'gpt-4o-mini' } }, script })
    await chats[0]?.ask(gateway, chatTurns(24))
    await expect.poll(() => gateway.provider.requests.length).toBe(5)
    await expect.poll(async () => Math.abs((await counted(gateway.store)) - billed(gateway.provider))).toBeLessThan(5)
    expect(await counted(gateway.store, 'requests')).toBe(1)
  })

  it('models that stand in, once for the request', async () => {
    const script = ({ json }: { readonly json?: Readonly<Record<string, unknown>> | undefined }) =>
      json?.['model'] === 'gpt-4.1' ? { fault: { kind: 'error' as const, status: 503 } } : 'Here I am.'
    const fallbacks = { 'gpt-4.1': ['gpt-4.1-mini'] }
    const gateway = await testGateway({ config: { budgets, fallbacks }, script })
    const response = await post(gateway, openaiFixture, {
      model: 'gpt-4.1',
      messages: [{ role: 'user', content: 'Hello' }],
    })
    expect(response.status).toBe(200)
    await expect.poll(() => counted(gateway.store, 'requests')).toBe(1)
    await expect.poll(async () => Math.abs((await counted(gateway.store)) - billed(gateway.provider))).toBeLessThan(2)
  })

  it('requests that threads carry, within the limits that all threads share', async () => {
    const provider = simulatedProvider({ script: () => 'word '.repeat(100), firstByteMs: 300 })
    const server = await provider.listen()
    servers.push(() => server.close())
    const gateway = await threadedGateway(server.url, { budgets: { tokensPerDay: 1000, requestsPerMonth: 100 } })
    await startedThread(gateway)
    const before = await counted(gateway.store, 'tokens')
    const carried = gateway.carried()
    const hello = { model: 'gpt-4.1', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] }
    const statuses = await Promise.all(
      Array.from({ length: 24 }, async () => {
        const response = await post(gateway, openaiFixture, hello)
        await response.text()
        return response.status
      }),
    )
    const granted = statuses.filter((status) => status === 200).length
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(granted).toBeGreaterThan(3)
    await expect.poll(() => counted(gateway.store, 'tokens')).toBe(before + 108 * granted)
    expect(before + 108 * granted).toBeLessThanOrEqual(1000)
    expect(gateway.carried()).toBeGreaterThan(carried)
  })
})
