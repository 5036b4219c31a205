import { afterEach, describe, expect, it } from 'vitest'
import { gatewayNamed } from './named-upstream.fixture.ts'
import { closeTestGateways, openaiFixture, post } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

async function session(gateway: TestGateway, model: string, headers = {}): Promise<void> {
  for (let results = 1; results <= 6; results += 1) {
    const reply = await post(gateway, openaiFixture, openaiFixture.body(results, { model }), headers)
    expect(reply.status).toBe(200)
    await reply.text()
    await gateway.clock.advance(1000)
  }
}

describe("what is cached at those who speak OpenAI's dialect", () => {
  it('Qwen: where the gateway marks it, and as receipts price it', async () => {
    const gateway = await gatewayNamed('qwen')
    await session(gateway, 'qwen3.7-plus')
    for (const { body } of gateway.provider.requests) {
      const marks = body.match(/"cache_control":\{"type":"ephemeral"\}/g)!.length
      expect(marks).toBeGreaterThan(0)
      expect(marks).toBeLessThanOrEqual(4)
    }
    const [last, before] = await gateway.store.read('receipts').list('default', { limit: 2 })
    const usage = last!.result!.usage!
    const { inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, outputTokens } = usage
    expect(cacheReadTokens).toBeGreaterThan(0.95 * before!.result!.usage!.inputTokens)
    const plain = inputTokens - cacheReadTokens - cacheWriteTokens
    const dollars = (plain * 0.4 + cacheReadTokens * 0.04 + cacheWriteTokens * 0.5 + outputTokens * 1.6) / 1e6
    expect(last!.result!.cost!.usd).toBeCloseTo(dollars, 12)
  })

  it.each([
    ['xai', 'grok-4.7'],
    ['moonshot', 'kimi-k2.6'],
    ['zai', 'glm-5.2'],
    ['mistral', 'mistral-large-2512'],
  ])('%s: unasked', async (name, model) => {
    const gateway = await gatewayNamed(name)
    await session(gateway, model)
    expect(gateway.provider.requests.map(({ body }) => body).join('')).not.toMatch(/cache_control|prompt_cache/)
    const receipts = (await gateway.store.read('receipts').list('default', { limit: 6 })).toReversed()
    const held = receipts.slice(1).flatMap((receipt, index) => {
      const before = receipts[index]!
      const read = (receipt.result!.usage!.cacheReadTokens ?? 0) / before.result!.usage!.inputTokens
      return before.epoch === receipt.epoch ? [read] : []
    })
    expect(held.length).toBeGreaterThanOrEqual(2)
    expect(Math.min(...held)).toBeGreaterThan(0.9)
  })

  it('an open model of nobody knows whose server is not marked', async () => {
    const gateway = await gatewayNamed('vllm')
    const body = openaiFixture.body(3, { model: 'Qwen/Qwen3-32B' })
    await (await post(gateway, openaiFixture, body)).text()
    expect(gateway.provider.requests[0]!.body).not.toContain('cache_control')
  })
})

describe('which requests are one session', () => {
  const header = 'x-grok-conv-id'
  const named = ({ provider }: TestGateway) => provider.requests.map(({ headers }) => headers[header])

  it('xAI is told by a hash, so that it asks the server again that has the cache', async () => {
    const gateway = await gatewayNamed('xai')
    await session(gateway, 'grok-4.7')
    expect(new Set(named(gateway)).size).toBe(1)
    expect(named(gateway)[0]).toMatch(/^prehend-[0-9a-f]{32}$/)
  })

  it("the client's own word goes on", async () => {
    const gateway = await gatewayNamed('xai')
    await session(gateway, 'grok-4.7', { [header]: 'mine' })
    expect(new Set(named(gateway))).toEqual(new Set(['mine']))
  })

  it('others are not told', async () => {
    const gateway = await gatewayNamed('groq')
    await session(gateway, 'moonshotai/kimi-k2.6')
    expect(Object.keys(gateway.provider.requests[0]!.headers)).not.toContain(header)
    expect(Object.keys(gateway.provider.requests[0]!.headers)).not.toContain('x-session-id')
  })
})
