import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SimulatedServer } from './listen.ts'
import { simulatedProvider } from './simulated-provider.ts'
import type { ScriptEntry } from './script.ts'

const tools = [
  {
    name: 'read_file',
    description: 'Reads a file',
    input_schema: { type: 'object' as const, properties: { path: { type: 'string' } }, required: ['path'] },
  },
]

let script: ScriptEntry[] = []
const provider = simulatedProvider({ script: () => script.shift() })
let server: SimulatedServer
beforeAll(async () => {
  server = await provider.listen()
})
afterAll(() => server.close())

const forms = {
  'in process': () => new Anthropic({ apiKey: 'k', fetch: provider.fetch, maxRetries: 0 }),
  'over a socket': () => new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 0 }),
}

describe.each(Object.keys(forms) as (keyof typeof forms)[])('the Anthropic SDK %s', (form) => {
  const client = () => forms[form]()

  it('gets an echo of what the user typed, without what the agent put before it', async () => {
    const blocks = ['<system-reminder>The date is today.</system-reminder>', '<env>x</env>\n\nGood evening']
    const message = await client().messages.create({
      model: 'claude-haiku-4-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: blocks.map((text) => ({ type: 'text', text })) }],
    })
    expect(message.content).toMatchObject([{ text: 'You said: Good evening' }])
  })

  it('gets an echo', async () => {
    const message = await client().messages.create({
      model: 'claude-haiku-4-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Good morning' }],
    })
    expect(message).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-4-5',
      content: [{ type: 'text', text: 'You said: Good morning' }],
      stop_reason: 'end_turn',
      usage: { cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    })
    expect(message.usage.input_tokens).toBeGreaterThan(2)
  })

  it('folds a stream of thinking, text and parallel calls into the message that JSON gives', async () => {
    const answer: ScriptEntry = {
      thinking: 'Two files are needed.',
      text: 'Let me look.',
      toolCalls: [
        { id: 'toolu_a', name: 'read_file', arguments: { path: 'a.ts' } },
        { id: 'toolu_b', name: 'read_file', arguments: { path: 'b.ts' } },
      ],
    }
    const body = {
      model: 'claude-haiku-4-5',
      max_tokens: 4000,
      thinking: { type: 'enabled' as const, budget_tokens: 1024 },
      tools,
      messages: [{ role: 'user' as const, content: 'Compare a.ts and b.ts' }],
    }
    script = [answer, answer]
    const whole = await client().messages.create(body)
    const stream = client().messages.stream(body)
    const texts: string[] = []
    stream.on('text', (text) => texts.push(text))
    const folded = await stream.finalMessage()
    expect(texts.length).toBeGreaterThan(1)
    expect(folded.content).toEqual(whole.content)
    expect(folded.usage).toEqual(whole.usage)
    expect(folded).toMatchObject({ stop_reason: 'tool_use', stop_sequence: null })
    expect(whole.content.map((block) => block.type)).toEqual(['thinking', 'text', 'tool_use', 'tool_use'])
  })

  it('carries a tool loop with signed thinking to its end', async () => {
    script = [{ thinking: 'Look first.', toolCalls: [{ name: 'read_file', arguments: { path: 'a' } }] }, 'Done.']
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Read a' }]
    const body = { model: 'claude-opus-5', max_tokens: 1000, tools }
    const first = await client().messages.create({ ...body, messages })
    const call = first.content.find((block) => block.type === 'tool_use')!
    messages.push(
      { role: 'assistant', content: first.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'text of a' }] },
    )
    const second = await client().messages.create({ ...body, messages })
    expect(second).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text', text: 'Done.' }] })
    expect(first.content[0]).toMatchObject({ type: 'thinking', thinking: '' })
  })

  it('raises the typed errors of the SDK', async () => {
    const bad = client().messages.create({
      model: 'claude-opus-5',
      max_tokens: 10,
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_x', content: 'late' }] }],
    })
    await expect(bad).rejects.toThrow(Anthropic.BadRequestError)
    await expect(bad).rejects.toThrow(/messages\.0\.content\.0: unexpected `tool_use_id` found/)
    script = [{ fault: { kind: 'error', status: 429, retryAfterSeconds: 7 } }]
    const limited = await client()
      .messages.create({ model: 'claude-opus-5', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] })
      .catch((error: unknown) => error as InstanceType<typeof Anthropic.RateLimitError>)
    expect(limited).toBeInstanceOf(Anthropic.RateLimitError)
    expect(limited).toMatchObject({ status: 429, error: { type: 'error', error: { type: 'rate_limit_error' } } })
    expect((limited as { headers: Headers }).headers.get('retry-after')).toBe('7')
    await expect(client().models.retrieve('claude-none-1')).rejects.toThrow(Anthropic.NotFoundError)
  })

  it('raises an error that arrives in mid-stream', async () => {
    script = [{ text: 'one two three four', fault: { kind: 'stream-error', afterChunks: 4 } }]
    const stream = client().messages.stream({
      model: 'claude-opus-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hi' }],
    })
    await expect(stream.finalMessage()).rejects.toMatchObject({
      error: { type: 'error', error: { type: 'overloaded_error' } },
    })
  })

  it('fails when the connection dies in mid-stream', async () => {
    script = [{ text: 'one two three four', fault: { kind: 'connection-death', afterChunks: 4 } }]
    const stream = client().messages.stream({
      model: 'claude-opus-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hi' }],
    })
    await expect(stream.finalMessage()).rejects.toThrow(/terminated|error|closed/i)
    expect(provider.requests.at(-1)?.state).toBe('failed')
  })

  it('counts tokens, the same as are billed', async () => {
    const body = {
      model: 'claude-haiku-4-5',
      system: 'Be brief.',
      tools,
      messages: [{ role: 'user' as const, content: 'How are you?' }],
    }
    const counted = await client().messages.countTokens(body)
    const message = await client().messages.create({ ...body, max_tokens: 20 })
    expect(counted.input_tokens).toBe(message.usage.input_tokens)
    expect(counted.input_tokens).toBeGreaterThan(496)
  })

  it('lists models', async () => {
    const listed = await client().models.list()
    expect(listed.data.map((model) => model.id)).toContain('claude-opus-5-5')
    expect((await client().models.retrieve('claude-haiku-4-5')).id).toBe('claude-haiku-4-5')
  })

  it('notices an abort', async () => {
    script = [{ text: 'never', fault: { kind: 'hang', afterChunks: 3 } }]
    const stream = client().messages.stream({
      model: 'claude-opus-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hi' }],
    })
    stream.on('connect', () => setTimeout(() => stream.abort(), 5))
    await expect(stream.finalMessage()).rejects.toThrow(Anthropic.APIUserAbortError)
    await expect.poll(() => provider.requests.at(-1)?.state).toBe('aborted')
  })
})
