import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import { fetchUpstream, simulatedProvider } from '../../providers/index.ts'
import type { AnswerPart, Script } from '../../providers/index.ts'
import { onlyUpstream, parseConfig, providerUpstreams } from '../index.ts'
import type { GatewayConfigInput } from '../index.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

interface Opening {
  readonly config?: GatewayConfigInput
  readonly streamUsage?: 'asked' | 'refused'
}

/** A gateway whose upstream takes `stream_options`, unless a test says otherwise. */
function gatewayOf(script: Script, { config = {}, streamUsage = 'asked' }: Opening = {}): Promise<TestGateway> {
  const provider = simulatedProvider({ script })
  const only = onlyUpstream(fetchUpstream({ name: 'openai', origin: 'http://simulated', fetch: provider.fetch }))
  const upstreams = { ...only, for: (wanted: Parameters<typeof only.for>[0]) => ({ ...only.for(wanted), streamUsage }) }
  return testGateway({ provider, upstreams, config })
}

async function streamed(gateway: TestGateway, more: Record<string, unknown> = {}, headers = {}): Promise<string> {
  const reply = await post(gateway, openaiFixture, openaiFixture.body(3, { stream: true, ...more }), headers)
  return reply.text()
}

async function resultOf({ store }: TestGateway) {
  const last = async () => (await store.read('receipts').list('default', { limit: 1 }))[0]?.result
  await expect.poll(last).toBeDefined()
  return last()
}

describe('a stream of Chat Completions whose client does not ask for usage', () => {
  it('is priced, and the client gets no chunk with usage', async () => {
    const gateway = await gatewayOf(['one two three'])
    const text = await streamed(gateway)
    const [asked] = gateway.provider.requests
    expect(JSON.parse(asked!.body)).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(text).not.toMatch(/"usage":\{/)
    expect(text).toMatch(/"finish_reason":"stop"[^\n]*\n\ndata: \[DONE\]\n\n$/)
    const { usage, cost } = (await resultOf(gateway))!
    expect(usage?.inputTokens).toBe(asked!.usage!.inputTokens)
    expect(cost?.usd).toBeGreaterThan(0)
  })

  it('asks for nothing else: other members of `stream_options` stay', async () => {
    const gateway = await gatewayOf(['done'])
    await streamed(gateway, { stream_options: { include_usage: false, include_obfuscation: false } })
    expect(JSON.parse(gateway.provider.requests[0]!.body).stream_options).toEqual({
      include_usage: true,
      include_obfuscation: false,
    })
  })

  it('has the usage of all its hidden rounds', async () => {
    const fetches: AnswerPart = { type: 'tool-call', name: 'rehydrate', arguments: { handle: 'deadbeef' } }
    const gateway = await gatewayOf([{ parts: [{ type: 'text', text: 'looking ' }, fetches] }, 'found'])
    const text = await streamed(gateway)
    expect(text).not.toMatch(/"usage":\{/)
    expect(text.match(/\[DONE\]/g)).toHaveLength(1)
    const rounds = gateway.provider.requests.map(({ usage }) => usage!.inputTokens)
    expect(rounds).toHaveLength(2)
    expect((await resultOf(gateway))!.usage?.inputTokens).toBe(rounds[0]! + rounds[1]!)
  })

  it('reaches the official SDK as it does without a gateway', async () => {
    const gateway = await gatewayOf(['one two three'])
    const client = new OpenAI({ apiKey: 'key', baseURL: `${gateway.url}/v1` })
    const stream = await client.chat.completions.create({
      model: 'gpt-5.1',
      messages: [{ role: 'user', content: 'count' }],
      stream: true,
    })
    const chunks = await Array.fromAsync(stream)
    expect(chunks.every(({ choices }) => choices.length === 1)).toBe(true)
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('one two three')
  })
})

describe("the client's own request for usage", () => {
  it('brings it the chunk', async () => {
    const gateway = await gatewayOf(['done'])
    const text = await streamed(gateway, { stream_options: { include_usage: true } })
    expect(text).toMatch(/"usage":\{.*"choices":\[\]/)
  })
})

describe('nothing is added', () => {
  it.each([
    ['in mode observe', {}, { 'x-prehend-mode': 'observe' }],
    ['in mode off', {}, { 'x-prehend-mode': 'off' }],
    ['to an upstream that may refuse it', { streamUsage: 'refused' as const }, {}],
  ])('%s', async (_, opening, headers) => {
    const gateway = await gatewayOf(['done'], opening)
    await streamed(gateway, {}, headers)
    expect(gateway.provider.requests[0]!.body).not.toContain('stream_options')
  })

  it('to a request of one whole reply', async () => {
    const gateway = await gatewayOf(['done'])
    await streamed(gateway, { stream: false })
    expect(gateway.provider.requests[0]!.body).not.toContain('stream_options')
  })
})

describe('which upstreams are asked', () => {
  const asks = (upstream: string, settings: object = {}): string | undefined => {
    const config = parseConfig({ upstreams: { [upstream]: { apiKey: 'key', ...settings } } })
    return providerUpstreams(config).for({ dialect: 'openai-chat', model: 'any', name: upstream }).streamUsage
  }
  const baseUrl = 'http://127.0.0.1:9/v1'

  it.each([
    ['openai', {}, 'asked'],
    ['vllm', {}, 'asked'],
    ['llamacpp', {}, undefined],
    ['mistral', {}, 'refused'],
    ['mistral', { streamUsage: true }, 'asked'],
    ['our-proxy', { baseUrl }, undefined],
    ['our-proxy', { baseUrl, streamUsage: true }, 'asked'],
    ['openai', { streamUsage: false }, 'refused'],
  ])('%s %j: %s', (name, settings, is) => expect(asks(name, settings)).toBe(is))

  it('the simulated provider', () => {
    const { streamUsage } = providerUpstreams(parseConfig({})).for({ dialect: 'openai-chat', model: 'any' })
    expect(streamUsage).toBe('asked')
  })
})

describe('a chunk that is taken from a client', () => {
  const isTaken = (chunk: object): boolean =>
    codecFor('openai-chat').streamUsage!.isAlone({ data: JSON.stringify(chunk) })
  const usage = { prompt_tokens: 9, completion_tokens: 1 }

  it.each<[string, object, boolean]>([
    ['holds usage alone', { id: 'c', object: 'chat.completion.chunk', choices: [], usage }, true],
    ['not one with a choice', { choices: [{ index: 0, delta: { content: 'x' } }], usage }, false],
    ['not one with an error', { choices: [], usage, error: { message: 'boom' } }, false],
    ['not one with what a server adds', { choices: [], usage, timings: { prompt_ms: 4 } }, false],
    ['not one whose choices are empty elsewhere', { choices: [{ delta: {} }], usage, meta: { choices: [] } }, false],
    ['not one without usage', { choices: [], usage: null }, false],
  ])('%s', (_, chunk, is) => expect(isTaken(chunk)).toBe(is))
})

describe('a request that comes in another dialect', () => {
  it.each([
    ['asked', true],
    ['refused', false],
  ] as const)('%s: asks for usage: %s', async (streamUsage, isAsked) => {
    const provider = simulatedProvider({ script: ['done'] })
    const only = onlyUpstream(fetchUpstream({ name: 'mistral', origin: 'http://simulated', fetch: provider.fetch }))
    const upstreams = {
      ...only,
      for: (wanted: Parameters<typeof only.for>[0]) => ({
        ...only.for(wanted),
        dialect: 'openai-chat' as const,
        streamUsage,
      }),
    }
    const gateway = await testGateway({ provider, upstreams })
    const reply = await post(gateway, anthropicFixture, anthropicFixture.body(1, { model: 'gpt-5.1', stream: true }))
    expect(await reply.text()).toContain('done')
    expect(provider.requests[0]!.body.includes('stream_options')).toBe(isAsked)
  })
})
