import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import type { Dialect } from '../../core/index.ts'
import type { RecordedRequest, ScriptEntry } from '../../providers/index.ts'
import {
  anthropicFixture,
  closeTestGateways,
  handleIn,
  needleOf,
  openaiFixture,
  post,
  shortenedSession,
  testGateway,
} from './test-gateway.fixture.ts'
import type { DialectFixture, TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

/** What an agent has seen and done, in words of no dialect. */
interface Run {
  readonly texts: string[]
  readonly calls: string[]
  readonly stops: string[]
  readonly usages: number[]
}

const noRun = (): Run => ({ texts: [], calls: [], stops: [], usages: [] })

const script: readonly ScriptEntry[] = [
  {
    text: 'Reading both. ',
    toolCalls: [
      { name: 'read', arguments: { path: 'a.ts' } },
      { name: 'read', arguments: { path: 'ü "b".ts', lines: [1, 2.5] } },
    ],
  },
  { toolCalls: [{ name: 'read', arguments: {} }] },
  'Both are fine.\nBye 👋',
]

const resultOf = (args: string): string => `content of ${args}`

/** An agent that reads files until the model says no more, by its SDK. */
type Agent = (gateway: TestGateway, stream: boolean) => Promise<Run>

const openaiAgent: Agent = async ({ url }, stream) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'key', maxRetries: 0 })
  const { model, tools, messages } = claude.body(0) as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming
  const run = noRun()
  const said = [...messages]
  for (;;) {
    const params = {
      model,
      tools: tools!,
      messages: said,
      max_completion_tokens: 500,
      stop: ['END'],
    }
    const { choices, usage } = stream
      ? await client.chat.completions
          .stream({ ...params, stream: true, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await client.chat.completions.create(params)
    const [choice] = choices
    const { content, tool_calls: calls = [] } = choice!.message
    if (content) run.texts.push(content)
    run.stops.push(choice!.finish_reason)
    run.usages.push(usage!.prompt_tokens)
    said.push(choice!.message)
    for (const call of calls) {
      if (call.type !== 'function') continue
      run.calls.push(`${call.function.name} ${JSON.stringify(JSON.parse(call.function.arguments))}`)
      said.push({ role: 'tool', tool_call_id: call.id, content: resultOf(call.function.arguments) })
    }
    if (calls.length === 0) return run
  }
}

const anthropicAgent: Agent = async ({ url }, stream) => {
  const client = new Anthropic({ baseURL: url, apiKey: 'key', maxRetries: 0 })
  const { model, tools, system } = gpt.body(0) as unknown as Anthropic.MessageCreateParamsNonStreaming
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Find the value.' }]
  const run = noRun()
  for (;;) {
    const params = {
      model,
      max_tokens: 500,
      tools: tools!,
      system: system!,
      messages,
      stop_sequences: ['END'],
    }
    const { content, stop_reason, usage } = stream
      ? await client.messages.stream(params).finalMessage()
      : await client.messages.create(params)
    run.stops.push(stop_reason!)
    run.usages.push(usage.input_tokens + (usage.cache_read_input_tokens ?? 0))
    messages.push({ role: 'assistant', content })
    const results: Anthropic.ToolResultBlockParam[] = []
    for (const block of content) {
      if (block.type === 'text') run.texts.push(block.text)
      if (block.type !== 'tool_use') continue
      run.calls.push(`${block.name} ${JSON.stringify(block.input)}`)
      results.push({ type: 'tool_result', tool_use_id: block.id, content: resultOf(JSON.stringify(block.input)) })
    }
    if (results.length === 0) return run
    messages.push({ role: 'user', content: results })
  }
}

interface Pair {
  readonly client: Dialect
  readonly fixture: DialectFixture
  readonly agent: Agent
  readonly provider: Dialect
  readonly stops: readonly string[]
}

/** The same bodies for a model of the provider's. */
function asking(fixture: DialectFixture, model: string): DialectFixture {
  return { ...fixture, body: (results, more) => fixture.body(results, { model, ...more }) }
}

const claude = asking(openaiFixture, 'claude-sonnet-4-6')
const gpt = asking(anthropicFixture, 'gpt-5.1')

const pairs: readonly Pair[] = [
  {
    client: 'openai-chat',
    fixture: claude,
    agent: openaiAgent,
    provider: 'anthropic-messages',
    stops: ['tool_calls', 'tool_calls', 'stop'],
  },
  {
    client: 'anthropic-messages',
    fixture: gpt,
    agent: anthropicAgent,
    provider: 'openai-chat',
    stops: ['tool_use', 'tool_use', 'end_turn'],
  },
]

const cases = pairs.flatMap((pair) => [true, false].map((stream) => ({ ...pair, stream })))

const paths: Readonly<Record<string, string>> = {
  'openai-chat': '/v1/chat/completions',
  'anthropic-messages': '/v1/messages',
}

describe.each(cases)('$client asks $provider (stream: $stream)', ({ agent, fixture, provider, stops, stream }) => {
  it('an agent does its work by the official SDK, tools and parallel calls included', async () => {
    const gateway = await testGateway({ script, speaks: provider })
    const run = await agent(gateway, stream)
    expect(run.calls).toEqual(['read {"path":"a.ts"}', 'read {"path":"ü \\"b\\".ts","lines":[1,2.5]}', 'read {}'])
    expect(run.texts).toEqual(['Reading both. ', 'Both are fine.\nBye 👋'])
    expect(run.stops).toEqual(stops)
    for (const tokens of run.usages) expect(tokens).toBeGreaterThan(10)
    const { requests } = gateway.provider
    expect(requests.map(({ path, status }) => [path, status])).toEqual(stops.map(() => [paths[provider], 200]))
    const last = codecFor(provider).decode({ body: requests.at(-1)!.body })
    const results = last.conversation.items.filter(({ kind }) => kind === 'tool-result').map(({ text }) => text)
    expect(results).toHaveLength(3)
    for (const result of results) expect(result).toContain('content of ')
    expect(last.conversation.maxOutputTokens).toBe(500)
    expect(last.conversation.sampling.stop).toEqual(['END'])
  })

  it('a hidden tool is answered on the way, and never shows', async () => {
    const asked: RecordedRequest[] = []
    const gateway = await testGateway({
      speaks: provider,
      script: (request) => {
        asked.push(request)
        const handle = handleIn(request.body, 1)
        if (asked.length < 3 || handle === undefined) return 'ok'
        return asked.length === 3 ? { toolCalls: [{ name: 'rehydrate', arguments: { handle } }] } : 'found'
      },
    })
    await shortenedSession(gateway, fixture)
    const response = await post(gateway, fixture, fixture.body(9, { stream }))
    const text = await response.text()
    expect(response.headers.get('x-prehend-crossed')).toBe(provider)
    expect(text).toContain('found')
    expect(text).not.toContain('rehydrate')
    expect(asked).toHaveLength(4)
    expect(asked[2]!.body).not.toContain(needleOf(1))
    expect(asked[3]!.body).toContain(needleOf(1))
    const [receipt] = await gateway.store.receipts('default', { limit: 1 })
    expect(receipt?.result).toMatchObject({ status: 200, rehydrations: 1, crossed: { dialect: provider } })
  })

  it("a provider's refusal is told in the client's dialect, with its status", async () => {
    const fault = { kind: 'error', status: 429, message: 'Too many of them.', retryAfterSeconds: 7 } as const
    const gateway = await testGateway({ speaks: provider, script: [{ fault }] })
    const response = await post(gateway, fixture, fixture.body(0, { stream }))
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
    const body = (await response.json()) as { type?: string; error: { type: string; message: string } }
    expect(body.error.message).toBe('Too many of them.')
    expect(body.error.type).toBe('rate_limit_error')
    expect(body.type).toBe(fixture === gpt ? 'error' : undefined)
  })

  it('what the provider has no word for is named', async () => {
    const gateway = await testGateway({ speaks: provider })
    const more = fixture === claude ? { seed: 7, logit_bias: { 5: 1 } } : { top_k: 3, metadata: { user_id: 'u' } }
    const response = await post(gateway, fixture, fixture.body(0, { ...more, stream }))
    await response.text()
    expect(response.status).toBe(200)
    expect(response.headers.get('x-prehend-lost')).toBe('sampling 2')
    const [receipt] = await gateway.store.receipts('default', { limit: 1 })
    expect(receipt?.result?.crossed?.lost.map(({ what }) => what).toSorted()).toEqual(
      fixture === claude ? ['logit_bias', 'seed'] : ['metadata', 'topK'],
    )
  })
})

describe.each(pairs)('a stream of $provider for $client', ({ provider, agent, fixture }) => {
  it('that dies is an error to the SDK, however much has come', async () => {
    const fault = { kind: 'connection-death', afterChunks: 2 } as const
    const gateway = await testGateway({ speaks: provider, script: [{ text: 'one two three four five', fault }] })
    await expect(agent(gateway, true)).rejects.toThrow(/broke/)
  })

  it('that ends in an error tells it', async () => {
    const fault = { kind: 'stream-error', afterChunks: 2, message: 'The model is overloaded.' } as const
    const gateway = await testGateway({ speaks: provider, script: [{ text: 'one two three four five', fault }] })
    const response = await post(gateway, fixture, fixture.body(0, { stream: true }))
    expect(await response.text()).toContain('The model is overloaded.')
  })

  it('counts tokens here', async () => {
    const gateway = await testGateway({ speaks: provider })
    if (fixture !== gpt) return
    const response = await post(gateway, { ...fixture, path: '/v1/messages/count_tokens' }, fixture.body(1))
    const { input_tokens: tokens } = (await response.json()) as { input_tokens: number }
    expect(tokens).toBeGreaterThan(1000)
    expect(gateway.provider.requests).toEqual([])
  })
})
