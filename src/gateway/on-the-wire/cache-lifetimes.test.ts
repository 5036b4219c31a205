import { afterEach, describe, expect, it } from 'vitest'
import { priceOf, shippedCatalogue } from '../../tokens/index.ts'
import { anthropicFixture, closeTestGateways, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const minute = 60_000
const rules = 'Answer in short sentences, and say what you do not know. '.repeat(500)

/** Sessions of one agent, each with a task of its own, one after the other with so many minutes in between. */
async function sessions(gateway: TestGateway, silences: readonly number[]): Promise<void> {
  for (const [index, silence] of [0, ...silences].entries()) {
    await gateway.clock.advance(silence * minute)
    const body = anthropicFixture.body(0, { system: rules })
    const messages = [{ role: 'user', content: `Task ${index}: find the value.` }]
    await (await post(gateway, anthropicFixture, { ...body, messages })).text()
  }
}

const lifetimes = ({ provider }: TestGateway): readonly boolean[] =>
  provider.requests.map(({ body }) => body.includes('"ttl":"1h"'))

function billed({ provider }: TestGateway): number {
  const info = shippedCatalogue.info('claude-sonnet-4-6')
  return provider.requests.reduce((total, { usage }) => total + (usage ? priceOf(usage, info)! : 0), 0)
}

describe('tools and instructions that sessions share', () => {
  it('are cached for an hour once two silences have shown that it pays, and read after the next ones', async () => {
    const gateway = await testGateway()
    await sessions(gateway, [20, 20, 20, 20])
    expect(lifetimes(gateway)).toEqual([false, false, true, true, true])
    const reads = gateway.provider.requests.map(({ usage }) => usage?.cacheReadTokens ?? 0)
    expect(reads.slice(0, 3)).toEqual([0, 0, 0])
    expect(Math.min(...reads.slice(3))).toBeGreaterThan(5000)
  })

  it('cost less so in all', async () => {
    const gateway = await testGateway()
    await sessions(
      gateway,
      Array.from({ length: 12 }, () => 20),
    )
    const { usage } = gateway.provider.requests[0]!
    expect(billed(gateway)).toBeLessThan(0.5 * 13 * priceOf(usage!, shippedCatalogue.info('claude-sonnet-4-6'))!)
  })

  it('keep the shorter time where sessions follow each other, or come hours later', async () => {
    const busy = await testGateway()
    await sessions(busy, [1, 2, 1, 3])
    const rare = await testGateway()
    await sessions(rare, [120, 120, 20, 120])
    expect([...lifetimes(busy), ...lifetimes(rare)]).not.toContain(true)
  })
})
