import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { gatewayNamed } from './named-upstream.fixture.ts'
import { anthropicFixture, closeTestGateways, longResult, openaiFixture, post } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

interface Billed {
  readonly provider: string
  readonly usage: { readonly cost: number }
}

async function asks(gateway: TestGateway, model: string, results: number, headers = {}): Promise<Billed> {
  const reply = await post(gateway, openaiFixture, openaiFixture.body(results, { model }), headers)
  expect(reply.status).toBe(200)
  await gateway.clock.advance(1000)
  return (await reply.json()) as Billed
}

describe('OpenRouter behind the gateway', () => {
  it.each([
    'anthropic/claude-sonnet-4.6',
    'openai/gpt-5.1',
    'deepseek/deepseek-v4-pro',
    'google/gemini-3.5-flash',
    'qwen/qwen3.7-plus',
    'x-ai/grok-4.6',
    'moonshotai/kimi-k2.6',
  ])(
    'C-008, C-011: one who serves all of a session, and nearly all of the prompt before read from the cache there: %s',
    async (model) => {
      const gateway = await gatewayNamed('openrouter')
      const bills: Billed[] = []
      for (let results = 1; results <= 8; results += 1) bills.push(await asks(gateway, model, results))
      expect(new Set(bills.map(({ provider }) => provider)).size).toBe(1)
      const receipts = (await gateway.store.receipts('default', { limit: 8 })).toReversed()
      // What is shorter than the least that is cached cannot be read, and what an epoch has changed need not.
      const reads = receipts.slice(3).flatMap((receipt, index) => {
        const before = receipts[index + 2]!
        const { cacheReadTokens = 0 } = receipt.result!.usage!
        return before.epoch === receipt.epoch ? [cacheReadTokens / before.result!.usage!.inputTokens] : []
      })
      expect(reads.length).toBeGreaterThanOrEqual(2)
      expect(Math.min(...reads)).toBeGreaterThan(0.95)
    },
  )

  it.each(['anthropic/claude-sonnet-4.6', 'openai/gpt-5.1'])(
    'what receipts cost is what it bills: %s',
    async (model) => {
      const gateway = await gatewayNamed('openrouter')
      const billed: number[] = []
      for (let results = 1; results <= 5; results += 1) billed.push((await asks(gateway, model, results)).usage.cost)
      const receipts = (await gateway.store.receipts('default', { limit: 5 })).toReversed()
      for (const [index, receipt] of receipts.entries())
        expect(receipt.result!.cost!.usd).toBeCloseTo(billed[index]!, 12)
    },
  )

  it("a client of Anthropic's dialect is read from the cache, and billed, as there", async () => {
    const gateway = await gatewayNamed('openrouter')
    const model = 'anthropic/claude-sonnet-4.6'
    const costs: number[] = []
    for (let results = 1; results <= 5; results += 1) {
      const reply = await post(gateway, anthropicFixture, anthropicFixture.body(results, { model }))
      expect(reply.status).toBe(200)
      costs.push(((await reply.json()) as Billed).usage.cost)
      await gateway.clock.advance(1000)
    }
    const receipts = (await gateway.store.receipts('default', { limit: 5 })).toReversed()
    for (const [index, { result }] of receipts.entries()) expect(result!.cost!.usd).toBeCloseTo(costs[index]!, 12)
    const { inputTokens, cacheReadTokens } = receipts.at(-1)!.result!.usage!
    expect(cacheReadTokens).toBeGreaterThan(0.5 * inputTokens)
    expect(new Set(gateway.provider.requests.map(({ path }) => path))).toEqual(new Set(['/api/v1/messages']))
  })

  it("a session without a name gets one of ours, which tells nothing; a client's own goes on", async () => {
    const gateway = await gatewayNamed('openrouter')
    const model = 'openai/gpt-5.1'
    await asks(gateway, model, 1)
    await asks(gateway, model, 2)
    await asks(gateway, model, 1, { 'x-session-id': 'mine' })
    const [first, second, own] = gateway.provider.requests.map(({ headers }) => headers['x-session-id'])
    expect(first).toMatch(/^prehend-[0-9a-f]{32}$/)
    expect(second).toBe(first)
    expect(own).toBe('mine')
    expect(gateway.provider.requests[0]!.json).not.toHaveProperty('session_id')
  })

  it('a server that has one cache only is told no name', async () => {
    const gateway = await gatewayNamed('litellm')
    await asks(gateway, 'openai/gpt-5.1', 1)
    expect(gateway.provider.requests[0]!.headers).not.toHaveProperty('x-session-id')
  })

  it.each(['off', 'observe'])('in mode %s nothing is added', async (mode) => {
    const gateway = await gatewayNamed('openrouter')
    const body = openaiFixture.body(1, { model: 'openai/gpt-5.1', prehend: { mode } })
    await (await post(gateway, openaiFixture, body)).text()
    expect(gateway.provider.requests[0]!.headers).not.toHaveProperty('x-session-id')
  })

  it("streams to OpenAI's SDK, comments, usage and signed thoughts included", async () => {
    const gateway = await gatewayNamed('openrouter', () => ({ thinking: 'Adds up.', text: 'It is four.' }))
    const client = new OpenAI({ apiKey: 'k', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    const body = {
      model: 'anthropic/claude-sonnet-4.6',
      reasoning: { effort: 'high' },
      messages: [{ role: 'user' as const, content: longResult(1) }],
    }
    const chunks = await Array.fromAsync(await client.chat.completions.create({ ...body, stream: true }))
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta as Record<string, unknown>))
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe('It is four.')
    expect(deltas.map(({ reasoning }) => reasoning ?? '').join('')).toBe('Adds up.')
    expect(deltas.flatMap(({ reasoning_details: details }) => details ?? []).at(-1)).toHaveProperty('signature')
    expect(chunks.at(-1)!.usage).toHaveProperty('cost')
  })

  it('what a provider behind it refuses reaches the client in the form of the router', async () => {
    const gateway = await gatewayNamed('openrouter')
    const client = new OpenAI({ apiKey: 'k', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    const parts = Array.from({ length: 5 }, () => ({
      type: 'text' as const,
      text: 'x',
      cache_control: { type: 'ephemeral' },
    }))
    const asked = client.chat.completions.create({
      model: 'anthropic/claude-sonnet-4.6',
      messages: [{ role: 'user', content: parts }],
    })
    await expect(asked).rejects.toMatchObject({
      status: 400,
      error: { code: 400, metadata: { raw: expect.stringContaining('A maximum of 4 blocks') } },
    })
  })
})
