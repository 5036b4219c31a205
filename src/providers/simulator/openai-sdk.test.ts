import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SimulatedServer } from './listen.ts'
import { simulatedProvider } from './simulated-provider.ts'
import type { ScriptEntry } from './script.ts'

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'read_file',
      description: 'Reads a file',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
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
  'in process': () => new OpenAI({ apiKey: 'k', fetch: provider.fetch, maxRetries: 0 }),
  'over a socket': () => new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, maxRetries: 0 }),
}

describe.each(Object.keys(forms) as (keyof typeof forms)[])('the OpenAI SDK %s', (form) => {
  const client = () => forms[form]()

  it('gets an echo', async () => {
    const completion = await client().chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Good morning' }],
    })
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'gpt-4o',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'You said: Good morning' } }],
    })
    const usage = completion.usage!
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens)
    expect(usage.prompt_tokens_details?.cached_tokens).toBe(0)
  })

  it('folds a stream of text and parallel calls into the completion that JSON gives', async () => {
    const answer: ScriptEntry = {
      text: 'Let me look at both.',
      toolCalls: [
        { id: 'call_a', name: 'read_file', arguments: { path: 'a.ts' } },
        { id: 'call_b', name: 'read_file', arguments: { path: 'b.ts' } },
      ],
    }
    const body = { model: 'gpt-5.6-sol', tools, messages: [{ role: 'user' as const, content: 'Compare a and b' }] }
    script = [answer, answer]
    const whole = await client().chat.completions.create(body)
    const stream = client().chat.completions.stream({ ...body, stream_options: { include_usage: true } })
    const texts: string[] = []
    stream.on('content', (text) => texts.push(text))
    const folded = await stream.finalChatCompletion()
    expect(texts.length).toBeGreaterThan(1)
    expect(folded.choices[0]!.message.content).toBe(whole.choices[0]!.message.content)
    expect(folded.choices[0]!.message.tool_calls).toMatchObject(whole.choices[0]!.message.tool_calls!)
    expect(folded.choices[0]!.finish_reason).toBe('tool_calls')
    expect(folded.usage).toEqual(whole.usage)
  })

  it('gives as many choices as are asked for, and counts them all', async () => {
    const body = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'Good morning' }] }
    const one = await client().chat.completions.create(body)
    const two = await client().chat.completions.create({ ...body, n: 2 })
    expect(two.choices.map(({ index, message }) => [index, message.content])).toEqual([
      [0, 'You said: Good morning'],
      [1, 'You said: Good morning'],
    ])
    expect(two.usage!.completion_tokens).toBe(2 * one.usage!.completion_tokens)
    const streamed = client().chat.completions.stream({ ...body, n: 2, stream_options: { include_usage: true } })
    const folded = await streamed.finalChatCompletion()
    expect(folded.choices.map(({ message }) => message.content)).toEqual(
      two.choices.map(({ message }) => message.content),
    )
    expect(folded.usage).toEqual(two.usage)
    await expect(client().chat.completions.create({ ...body, n: 129 })).rejects.toThrow("Invalid 'n'")
  })

  it('sends no usage in a stream that did not ask for it', async () => {
    const stream = await client().chat.completions.create({
      model: 'gpt-4o',
      stream: true,
      messages: [{ role: 'user', content: 'hi' }],
    })
    const chunks = await Array.fromAsync(stream)
    expect(chunks.every((chunk) => chunk.usage == null && chunk.choices.length === 1)).toBe(true)
  })

  it('carries a tool loop to its end', async () => {
    script = [{ toolCalls: [{ name: 'read_file', arguments: { path: 'a' } }] }, 'Done.']
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Read a' }]
    const first = await client().chat.completions.create({ model: 'gpt-4o', tools, messages })
    const message = first.choices[0]!.message
    messages.push(message, { role: 'tool', tool_call_id: message.tool_calls![0]!.id, content: 'text of a' })
    const second = await client().chat.completions.create({ model: 'gpt-4o', tools, messages })
    expect(message.content).toBeNull()
    expect(second.choices[0]!.message.content).toBe('Done.')
  })

  it('shows the reasoning of DeepSeek and hides that of OpenAI', async () => {
    script = [
      { thinking: 'Adds up.', text: '4' },
      { thinking: 'Adds up.', text: '4' },
    ]
    const messages = [{ role: 'user' as const, content: '2 + 2' }]
    const open = await client().chat.completions.create({
      model: 'deepseek-v4-pro',
      messages,
      ...({ thinking: { type: 'enabled' } } as object),
    })
    expect(open.choices[0]!.message).toMatchObject({ content: '4', reasoning_content: 'Adds up.' })
    expect(open.usage).toHaveProperty('prompt_cache_miss_tokens', open.usage!.prompt_tokens)
    const hidden = await client().chat.completions.create({ model: 'gpt-5.1', messages })
    expect(hidden.choices[0]!.message).not.toHaveProperty('reasoning_content')
    expect(hidden.usage!.completion_tokens_details!.reasoning_tokens).toBeGreaterThan(0)
  })

  it('raises the typed errors of the SDK', async () => {
    const orphan = client().chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'tool', tool_call_id: 'call_x', content: 'late' }],
    })
    await expect(orphan).rejects.toThrow(OpenAI.BadRequestError)
    script = [{ fault: { kind: 'error', status: 429, retryAfterSeconds: 3 } }]
    const messages = [{ role: 'user' as const, content: 'hi' }]
    const limited = client().chat.completions.create({ model: 'gpt-4o', messages })
    await expect(limited).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
    await expect(client().chat.completions.create({ model: 'gpt-none', messages })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    })
  })

  it('raises an error that arrives in mid-stream', async () => {
    script = [{ text: 'one two three', fault: { kind: 'stream-error', afterChunks: 2, status: 503 } }]
    const stream = client().chat.completions.stream({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })
    await expect(stream.finalChatCompletion()).rejects.toMatchObject({ type: 'server_error' })
  })

  it('refuses', async () => {
    script = [{ fault: { kind: 'refusal' } }, { fault: { kind: 'refusal' } }]
    const body = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'hi' }] }
    const whole = await client().chat.completions.create(body)
    const folded = await client().chat.completions.stream(body).finalChatCompletion()
    expect(whole.choices[0]!.message).toMatchObject({ content: null })
    expect(whole.choices[0]!.message.refusal).toMatch(/sorry/)
    expect(folded.choices[0]!.message.refusal).toBe(whole.choices[0]!.message.refusal)
  })

  it('lists models', async () => {
    const ids = (await Array.fromAsync(client().models.list())).map((model) => model.id)
    expect(ids).toContain('gpt-4o')
    await expect(client().models.retrieve('nothing')).rejects.toThrow(OpenAI.NotFoundError)
  })

  it('notices an abort', async () => {
    script = [{ text: 'never', fault: { kind: 'hang', afterChunks: 1 } }]
    const stream = client().chat.completions.stream({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })
    stream.on('connect', () => setTimeout(() => stream.abort(), 5))
    await expect(stream.finalChatCompletion()).rejects.toThrow(OpenAI.APIUserAbortError)
    await expect.poll(() => provider.requests.at(-1)?.state).toBe('aborted')
  })
})
