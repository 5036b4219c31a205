import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { compileAgain, verifyReceipt } from '../../sessions/index.ts'
import type { CompileInput } from '../../core/index.ts'
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
      const receipts = (await gateway.store.read('receipts').list('default', { limit: 8 })).toReversed()
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
      const receipts = (await gateway.store.read('receipts').list('default', { limit: 5 })).toReversed()
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
    const receipts = (await gateway.store.read('receipts').list('default', { limit: 5 })).toReversed()
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

describe.each([false, true])('models that stand in for one another (stream: %s)', (stream) => {
  const [first, second] = ['anthropic/claude-sonnet-4.6', 'openai/gpt-5.1']
  const fault = { kind: 'error', status: 429 } as const

  interface Told extends Billed {
    readonly model: string
  }

  async function turns(gateway: TestGateway, count: number, more: object): Promise<readonly Told[]> {
    const client = new OpenAI({ apiKey: 'k', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    const told: Told[] = []
    for (let results = 1; results <= count; results += 1) {
      const body = { ...openaiFixture.body(results), ...more } as never
      if (stream) {
        const options = { stream: true, stream_options: { include_usage: true } }
        const pieces = await client.chat.completions.create({ ...(body as object), ...options } as never)
        const chunks = await Array.fromAsync(pieces as unknown as AsyncIterable<Told>)
        told.push(chunks.at(-1)!)
      } else told.push((await client.chat.completions.create(body)) as unknown as Told)
      await gateway.clock.advance(1000)
    }
    return told
  }

  async function receiptsOf(gateway: TestGateway, limit: number) {
    return (await gateway.store.read('receipts').list('default', { limit })).toReversed()
  }

  it.each([
    ['first', { model: first, models: [second] }],
    ['first of the list alone', { model: undefined, models: [first, second] }],
  ])('the %s answers, and nothing is said', async (_, more) => {
    const gateway = await gatewayNamed('openrouter')
    const told = await turns(gateway, 2, more)
    expect(told.map(({ model }) => model)).toEqual([first, first])
    const receipts = await receiptsOf(gateway, 2)
    for (const [index, { model, result }] of receipts.entries()) {
      expect([model, result!.answeredBy]).toEqual([first, undefined])
      expect(result!.cost!.usd).toBeCloseTo(told[index]!.usage.cost, 12)
    }
  })

  it('who answers for it is told, paid for, and packed for from the next request on, with its cache', async () => {
    const gateway = await gatewayNamed('openrouter', ({ json }) => (json?.['model'] === first ? { fault } : 'done'))
    const told = await turns(gateway, 6, { model: first, models: [second] })
    expect(new Set(told.map(({ model }) => model))).toEqual(new Set([second]))
    const receipts = await receiptsOf(gateway, 6)
    expect(receipts.map(({ model }) => model)).toEqual([first, ...Array(5).fill(second)])
    for (const [index, { requestId, result }] of receipts.entries()) {
      expect(result!.answeredBy).toBe(second)
      expect(result!.cost!.usd).toBeCloseTo(told[index]!.usage.cost, 12)
      const receipt = (await gateway.store.read('receipts').get('default', requestId))!
      const compile = (anew: CompileInput) => compileAgain(anew, receipt.manifest)
      expect(verifyReceipt({ receipt, input: receipt.input!, compile }).differences).toEqual([])
    }
    for (const { result, epoch } of receipts.slice(3)) {
      const { cacheReadTokens = 0, inputTokens } = result!.usage!
      expect([epoch, cacheReadTokens / inputTokens > 0.5]).toEqual([receipts[2]!.epoch, true])
    }
  })

  it('where the first can again, the session is its own again', async () => {
    let fails = true
    const gateway = await gatewayNamed('openrouter', ({ json }) =>
      fails && json?.['model'] === first ? { fault } : 'done',
    )
    await turns(gateway, 1, { model: first, models: [second] })
    fails = false
    const told = await turns(gateway, 3, { model: first, models: [second] })
    const receipts = await receiptsOf(gateway, 4)
    expect(receipts.map(({ result }) => result!.answeredBy)).toEqual([second, undefined, undefined, undefined])
    expect(receipts.map(({ model }) => model)).toEqual([first, second, first, first])
    expect(receipts[1]!.result!.cost!.usd).toBeCloseTo(told[0]!.usage.cost, 12)
  })
})
