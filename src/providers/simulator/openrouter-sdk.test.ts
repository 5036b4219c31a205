import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { priceOf, shippedCatalogue } from '../../tokens/index.ts'
import { manualClock } from './clock.ts'
import type { ManualClock } from './clock.ts'
import { simulatedProvider } from './simulated-provider.ts'
import type { SimulatedProvider } from './simulated-provider.ts'
import type { Script } from './script.ts'

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming
type Usage = OpenAI.CompletionUsage & {
  readonly cost: number
  readonly prompt_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number }
}

interface Router {
  readonly provider: SimulatedProvider
  readonly clock: ManualClock
  readonly client: OpenAI
  /** Asks, and tells what was used. */
  readonly asked: (body: object, headers?: Record<string, string>) => Promise<Usage>
  readonly servedBy: () => readonly string[]
}

function router(script: Script = () => 'Done.'): Router {
  const clock = manualClock()
  const provider = simulatedProvider({ script, clock })
  const client = new OpenAI({
    apiKey: 'k',
    baseURL: 'https://openrouter.ai/api/v1',
    fetch: provider.fetch,
    maxRetries: 0,
  })
  const served: string[] = []
  return {
    provider,
    clock,
    client,
    servedBy: () => served,
    async asked(body, headers = {}) {
      const reply = await client.chat.completions.create(body as Body, { headers })
      served.push((reply as unknown as { provider: string }).provider)
      await clock.advance(1000)
      return reply.usage as Usage
    },
  }
}

const long = (name: string): string =>
  Array.from({ length: 900 }, (_, line) => `${name} says ${line * 7919}.`).join('\n')
const mark = { cache_control: { type: 'ephemeral' } }
const text = (name: string, more: object = {}) => ({ type: 'text', text: long(name), ...more })
const rules = (more: object = {}) => ({ role: 'system', content: [text('rules', more)] })
const says = (content: unknown) => ({ role: 'user', content })

describe("OpenAI's SDK with the simulated OpenRouter", () => {
  it('gets answers in one form, whoever serves the model', async () => {
    const { client } = router(() => ({ thinking: 'Adds up.', text: '4' }))
    for (const model of [
      'anthropic/claude-sonnet-4.6',
      'openai/gpt-5.1',
      'google/gemini-2.5-pro',
      'deepseek/deepseek-v4-pro',
    ]) {
      const body = { model, messages: [says('2 + 2')], reasoning: { effort: 'high' } } as unknown as Body
      const whole = await client.chat.completions.create(body)
      expect(whole).toMatchObject({
        id: expect.stringMatching(/^gen-/),
        provider: expect.any(String),
        model,
        choices: [{ finish_reason: 'stop', message: { content: '4', reasoning_details: [{ index: 0 }] } }],
        usage: { cost: expect.any(Number), is_byok: false },
      })
      const stream = client.chat.completions.stream({ ...body, stream: true })
      const folded = await stream.finalChatCompletion()
      expect(folded.choices[0]!.message.content).toBe('4')
      expect(folded.usage).toMatchObject({ prompt_tokens: whole.usage!.prompt_tokens, cost: expect.any(Number) })
    }
  })

  it('signed thoughts go back with the calls that they led to; changed ones are refused in the words of the provider', async () => {
    const call = { name: 'read', arguments: { path: 'a' } }
    const { client } = router([{ thinking: 'I must read it.', toolCalls: [call] }, 'Done.', 'Done.'])
    const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }]
    const body = { model: 'anthropic/claude-sonnet-4.5', reasoning: { max_tokens: 2000 }, max_tokens: 4000, tools }
    const asked = says('Read a')
    const first = await client.chat.completions.create({ ...body, messages: [asked] } as unknown as Body)
    const said = first.choices[0]!.message as unknown as Record<string, unknown> & { tool_calls: { id: string }[] }
    expect(said).toMatchObject({
      reasoning: 'I must read it.',
      reasoning_details: [{ type: 'reasoning.text', format: 'anthropic-claude-v1', signature: expect.any(String) }],
    })
    const result = { role: 'tool', tool_call_id: said.tool_calls[0]!.id, content: 'text of a' }
    const goOn = (message: object) =>
      client.chat.completions.create({ ...body, messages: [asked, message, result] } as unknown as Body)
    expect((await goOn(said)).choices[0]!.message.content).toBe('Done.')
    const [detail] = said['reasoning_details'] as object[]
    await expect(goOn({ ...said, reasoning_details: [{ ...detail, text: 'changed' }] })).rejects.toMatchObject({
      status: 400,
      error: {
        code: 400,
        message: 'Provider returned error',
        metadata: { provider_name: expect.any(String), raw: expect.stringContaining('cannot be modified') },
      },
    })
  })

  it('streams begin with a comment, and bring usage unasked', async () => {
    const { provider } = router()
    const response = await provider.fetch('https://openrouter.ai/api/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer k' },
      body: JSON.stringify({ model: 'openai/gpt-5.1', stream: true, messages: [says('hi')] }),
    })
    const body = await response.text()
    expect(body).toMatch(/^: OPENROUTER PROCESSING\n\n/)
    expect(body).toMatch(/"usage":\{"prompt_tokens":\d+.*"cost":[\d.e-]+.*\n\ndata: \[DONE\]\n\n$/)
  })

  it('raises the errors of the router, with its own code for each', async () => {
    const { client } = router([{ fault: { kind: 'error', status: 429, retryAfterSeconds: 3 } }])
    const asks = (more: object) =>
      client.chat.completions.create({ model: 'openai/gpt-5.1', messages: [says('hi')], ...more } as unknown as Body)
    await expect(asks({})).rejects.toThrow(OpenAI.RateLimitError)
    await expect(asks({ model: 'gpt-5.1' })).rejects.toMatchObject({
      status: 400,
      error: { code: 400, message: 'gpt-5.1 is not a valid model ID' },
    })
    await expect(asks({ provider: { only: ['nobody'] } })).rejects.toThrow(OpenAI.NotFoundError)
    await expect(asks({ session_id: 'x'.repeat(257) })).rejects.toThrow(OpenAI.BadRequestError)
    const response = await simulatedProvider().fetch('https://openrouter.ai/api/v1/chat/completions', {
      method: 'POST',
      body: '{}',
    })
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: { code: 401, message: 'No auth credentials found' }, user_id: 'user_simulated' },
    ])
  })

  it('an error in mid-stream is a chunk that ends in one', async () => {
    const { client } = router([{ text: 'one two three', fault: { kind: 'stream-error', afterChunks: 3, status: 502 } }])
    const stream = client.chat.completions.stream({
      model: 'openai/gpt-5.1',
      messages: [{ role: 'user', content: 'hi' }],
    })
    await expect(stream.finalChatCompletion()).rejects.toMatchObject({ code: 502 })
  })

  it('lists models with their prices', async () => {
    const models = await Array.fromAsync(router().client.models.list())
    const claude = models.find(({ id }) => id === 'anthropic/claude-sonnet-4.6')
    expect(claude).toMatchObject({
      pricing: { prompt: '0.000003', input_cache_read: '3e-7' },
      context_length: 1_000_000,
    })
  })
})

describe('the caches behind the simulated OpenRouter', () => {
  const session = { session_id: 's1' }

  it.each([
    ["Anthropic's marks", mark],
    ["OpenAI's", { prompt_cache_breakpoint: { mode: 'explicit' } }],
  ])('Claude caches what is marked, and only that: %s', async (_, marked) => {
    const { asked } = router()
    const model = 'anthropic/claude-sonnet-4.6'
    const plain = { model, ...session, messages: [rules(), says('one')] }
    await asked(plain)
    expect((await asked(plain)).prompt_tokens_details).toMatchObject({ cached_tokens: 0, cache_write_tokens: 0 })
    const first = await asked({ model, ...session, messages: [rules(marked), says('one')] })
    const second = await asked({ model, ...session, messages: [rules(marked), says('two')] })
    const written = first.prompt_tokens_details.cache_write_tokens
    expect(written).toBeGreaterThan(0.95 * first.prompt_tokens)
    expect(second.prompt_tokens_details).toMatchObject({ cached_tokens: written, cache_write_tokens: 0 })
  })

  it('Claude takes four marks at most, and says so in its own words', async () => {
    const { asked } = router()
    const content = Array.from({ length: 5 }, (_, index) => ({ type: 'text', text: `part ${index}`, ...mark }))
    await expect(asked({ model: 'anthropic/claude-sonnet-4.6', messages: [says(content)] })).rejects.toMatchObject({
      error: { metadata: { raw: expect.stringContaining('A maximum of 4 blocks with cache_control') } },
    })
  })

  it.each(['openai/gpt-5.1', 'deepseek/deepseek-v4-pro', 'google/gemini-3.5-flash'])(
    'prefixes are cached unasked: %s',
    async (model) => {
      const { asked } = router()
      const body = { model, ...session, messages: [rules(), says('one')] }
      await asked(body)
      const again = await asked(body)
      expect(again.prompt_tokens_details.cached_tokens).toBeGreaterThan(0.9 * again.prompt_tokens)
      expect(again.prompt_tokens_details.cache_write_tokens).toBe(0)
    },
  )

  it('GPT-5.6 takes either mark where it takes its own', async () => {
    const { asked } = router()
    const body = (more: object) => ({
      model: 'openai/gpt-5.6-sol',
      ...session,
      prompt_cache_options: { mode: 'explicit' },
      messages: [rules(more), says(long('question'))],
    })
    await asked(body(mark))
    const usage = await asked({ ...body({ prompt_cache_breakpoint: { mode: 'explicit' } }) })
    expect(usage.prompt_tokens_details.cached_tokens).toBeGreaterThan(1024)
    expect(usage.prompt_tokens_details.cached_tokens).toBeLessThan(0.6 * usage.prompt_tokens)
  })

  it('Gemini keeps what stands before the last mark; marks before it say nothing', async () => {
    const { asked } = router()
    const body = (end: object[]) => ({
      model: 'google/gemini-3.5-flash',
      ...session,
      messages: [rules(mark), says([text('book', mark), ...end])],
    })
    const first = await asked(body([{ type: 'text', text: 'one' }]))
    const second = await asked(body([{ type: 'text', text: 'two' }]))
    const moved = await asked(body([text('more', mark)]))
    expect(second.prompt_tokens_details).toMatchObject({
      cached_tokens: first.prompt_tokens_details.cache_write_tokens,
      cache_write_tokens: 0,
    })
    expect(moved.prompt_tokens_details.cached_tokens).toBe(0)
  })

  it('Qwen caches for five minutes what is marked, and nothing else', async () => {
    const { asked, clock } = router()
    const body = (more: object) => ({ model: 'qwen/qwen3-max', ...session, messages: [rules(more), says('one')] })
    await asked(body({}))
    expect((await asked(body({}))).prompt_tokens_details.cached_tokens).toBe(0)
    const { cache_write_tokens: written } = (await asked(body(mark))).prompt_tokens_details
    expect(written).toBeGreaterThan(1024)
    expect((await asked(body(mark))).prompt_tokens_details.cached_tokens).toBe(written)
    await clock.advance(301_000)
    expect((await asked(body(mark))).prompt_tokens_details).toMatchObject({
      cached_tokens: 0,
      cache_write_tokens: written,
    })
  })

  it('bills what it says was used, reads and writes at their own prices', async () => {
    const { asked } = router()
    const info = shippedCatalogue.info('anthropic/claude-sonnet-4.6')
    const body = { model: 'anthropic/claude-sonnet-4.6', ...session, messages: [rules(mark), says('one')] }
    const costs: number[] = []
    for (const usage of [await asked(body), await asked(body)]) {
      const { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens } = usage.prompt_tokens_details
      const told = { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens }
      expect(usage.cost).toBeCloseTo(priceOf({ ...told, cacheReadTokens, cacheWriteTokens }, info)!, 12)
      costs.push(usage.cost)
    }
    expect(costs[1]! / costs[0]!).toBeLessThan(0.2)
  })
})

describe('sticky routing', () => {
  const model = 'anthropic/claude-sonnet-4.6'
  const body = { model, messages: [rules(mark), says('one')] }

  it('without a session a conversation stays where it was first read from a cache', async () => {
    const { asked, servedBy } = router()
    for (let turn = 0; turn < 6; turn += 1) await asked(body)
    const [first, second, third, ...hits] = servedBy()
    expect(new Set([first, second, third]).size).toBe(3)
    expect(new Set(hits)).toEqual(new Set([first]))
  })

  it.each([
    ['in the body', { session_id: 's' }, {}],
    ['in a header', {}, { 'x-session-id': 's' }],
  ])('with a session it stays where it began, %s', async (_, more, headers) => {
    const { asked, servedBy } = router()
    const usages = [await asked({ ...body, ...more }, headers), await asked({ ...body, ...more }, headers)]
    expect(new Set(servedBy()).size).toBe(1)
    expect(usages[1]!.prompt_tokens_details.cached_tokens).toBeGreaterThan(1024)
  })

  it('is forgotten ten minutes after the last answer', async () => {
    const { asked, servedBy, clock } = router()
    const own = { ...body, session_id: 's' }
    await asked(own)
    await clock.advance(590_000)
    await asked(own)
    await clock.advance(590_000)
    await asked(own)
    expect(new Set(servedBy()).size).toBe(1)
    await clock.advance(601_000)
    await asked(own)
    expect(new Set(servedBy()).size).toBe(2)
  })

  it('is of one account, one model and one conversation', async () => {
    const { asked, servedBy } = router()
    await asked({ ...body, session_id: 'a' })
    await asked({ ...body, session_id: 'b' })
    await asked({ ...body, session_id: 'a' }, { authorization: 'Bearer other' })
    await asked({ ...body, session_id: 'a' })
    const [own, otherSession, , again] = servedBy()
    expect(otherSession).not.toBe(own)
    expect(again).toBe(own)
  })

  it("the caller's order of providers comes first", async () => {
    const { asked, servedBy } = router()
    await asked({ ...body, session_id: 's' })
    await asked({ ...body, session_id: 's', provider: { order: ['amazon-bedrock'] } })
    expect(servedBy()).toEqual(['Anthropic', 'Amazon Bedrock'])
  })
})

describe('its other dialects', () => {
  it('Messages, for Claude: marks as Anthropic takes them, and what it costs', async () => {
    const { provider } = router()
    const client = new Anthropic({
      apiKey: 'k',
      baseURL: 'https://openrouter.ai/api',
      fetch: provider.fetch,
      maxRetries: 0,
    })
    const system = [{ type: 'text' as const, text: long('rules'), cache_control: { type: 'ephemeral' as const } }]
    const ask = () =>
      client.messages.create(
        { model: 'anthropic/claude-sonnet-4.6', max_tokens: 100, system, messages: [{ role: 'user', content: 'hi' }] },
        { headers: { 'x-session-id': 's' } },
      )
    await ask()
    const reply = await ask()
    expect(reply).toMatchObject({ model: 'anthropic/claude-sonnet-4.6', usage: { cost: expect.any(Number) } })
    expect(reply.usage.cache_read_input_tokens).toBeGreaterThan(1024)
  })

  it('Responses, for every model, kept by nobody', async () => {
    const { client } = router()
    const ask = () =>
      client.responses.create({ model: 'openai/gpt-5.1', input: long('input') }, { headers: { 'x-session-id': 's' } })
    await ask()
    const reply = await ask()
    expect(reply).toMatchObject({ output_text: 'Done.', model: 'openai/gpt-5.1', usage: { cost: expect.any(Number) } })
    expect(reply.usage!.input_tokens_details.cached_tokens).toBeGreaterThan(1024)
  })
})

describe('models that stand in for one another', () => {
  const models = ['openai/gpt-5.1', 'deepseek/deepseek-v4-pro']
  const body = { model: 'anthropic/claude-sonnet-4.6', models, messages: [says('go')] }

  it('are asked in their order, until one answers, which is told and billed', async () => {
    const failing = new Set<unknown>()
    const fault = { kind: 'error', status: 429, message: 'Too many.' } as const
    const { client, provider } = router(({ json }) => (failing.has(json?.['model']) ? { fault } : 'Done.'))
    const ask = async (more: object = {}) => client.chat.completions.create({ ...body, ...more } as Body)
    expect((await ask()).model).toBe('anthropic/claude-sonnet-4.6')
    failing.add('anthropic/claude-sonnet-4.6')
    const { model, usage } = await ask()
    expect(model).toBe('openai/gpt-5.1')
    const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage!
    const price = priceOf({ inputTokens, outputTokens }, shippedCatalogue.info('openai/gpt-5.1'))
    expect((usage as Usage).cost).toBeCloseTo(price!, 12)
    expect((await ask({ model: undefined })).model).toBe('openai/gpt-5.1')
    failing.add('openai/gpt-5.1')
    expect((await ask()).model).toBe('deepseek/deepseek-v4-pro')
    failing.add('deepseek/deepseek-v4-pro')
    await expect(ask()).rejects.toMatchObject({ status: 429 })
    expect(provider.requests.map(({ state }) => state)).toEqual([...Array(4).fill('answered'), 'rejected'])
  })

  it('stand in for one that nobody has, whose window is too small, or that takes no such request', async () => {
    const { client } = router()
    const ask = async (more: object) => (await client.chat.completions.create({ ...body, ...more } as Body)).model
    expect(await ask({ model: 'nobody' })).toBe('openai/gpt-5.1')
    const far = Array.from({ length: 4 }, (_, index) => says(long(`${index} `.repeat(40))))
    expect(await ask({ model: 'openai/gpt-4o', messages: far })).toBe('openai/gpt-5.1')
    expect(await ask({ provider: { only: ['openai'] } })).toBe('openai/gpt-5.1')
  })

  it('stand in before a stream begins', async () => {
    const fault = { kind: 'connection-death' } as const
    const { client } = router(({ json }) => (json?.['model'] === body.model ? { fault } : 'Done.'))
    const stream = await client.chat.completions.create({ ...body, stream: true } as never)
    const chunks = await Array.fromAsync(stream as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>)
    expect(new Set(chunks.map(({ model }) => model))).toEqual(new Set(['openai/gpt-5.1']))
  })
})
