import { describe, expect, it } from 'vitest'
import { modelCatalogue } from '../../../tokens/index.ts'
import { simulatedProvider } from '../simulated-provider.ts'

const user = (content: unknown) => ({ role: 'user', content })
const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
})
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'seen' })
const look = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } }
const mark = { prompt_cache_breakpoint: { mode: 'explicit' } }
const base = { model: 'gpt-4o', messages: [user('hi')] }

async function post(body: object) {
  const provider = simulatedProvider({
    catalogue: modelCatalogue({ models: { 'gpt-4o-mini': { windowTokens: 500 } } }),
  })
  const response = await provider.fetch('https://api.openai.com/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer k' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as { error?: Record<string, unknown> } }
}

type Case = readonly [
  name: string,
  body: object,
  error: { message?: RegExp; param?: string | null; code?: string | null },
]

const refusals: readonly Case[] = [
  ['no messages', { messages: undefined }, { param: 'messages', code: 'missing_required_parameter' }],
  ['empty messages', { messages: [] }, { param: 'messages', code: 'empty_array' }],
  [
    'an unknown role',
    { messages: [{ role: 'robot', content: 'x' }] },
    { param: 'messages[0].role', code: 'invalid_value' },
  ],
  ['an unknown field', { prehend: {} }, { param: 'prehend', code: 'unknown_parameter' }],
  ['null content', { messages: [user(null)] }, { message: /expected a string, got null/ }],
  [
    'an image in a system message',
    { messages: [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
    { param: 'messages[0].content[0].type' },
  ],
  [
    'a result without a call',
    { messages: [user('hi'), result('a')] },
    { message: /must be a response to a preceeding message with 'tool_calls'/, param: 'messages.[1].role' },
  ],
  [
    'a result for another call',
    { messages: [user('hi'), calls('a'), result('b')] },
    { message: /'tool_call_id' of 'b' not found/ },
  ],
  [
    'a call without a result',
    { messages: [user('hi'), calls('a', 'b'), result('a'), user('so?')] },
    { message: /did not have response messages: b/, param: 'messages.[3].role' },
  ],
  ['a call at the end', { messages: [user('hi'), calls('a')] }, { message: /did not have response messages: a/ }],
  ['no tools in the list', { tools: [] }, { param: 'tools', code: 'empty_array' }],
  [
    'a tool name with a space',
    { tools: [{ type: 'function', function: { name: 'look up' } }] },
    { param: 'tools[0].function.name' },
  ],
  [
    'a choice of an unknown tool',
    { tools: [look], tool_choice: { type: 'function', function: { name: 'see' } } },
    { message: /Tool choice 'see' not found in 'tools'/ },
  ],
  ['a choice without tools', { tool_choice: 'required' }, { message: /only allowed when 'tools' are specified/ }],
  ['stream options without a stream', { stream_options: { include_usage: true } }, { param: 'stream_options' }],
  ['no room for an answer', { max_tokens: 0 }, { code: 'integer_below_min_value' }],
  ['more output than the model gives', { max_tokens: 10_000_000 }, { message: /is too large/ }],
  [
    'max_tokens on a reasoning model',
    { model: 'gpt-5.1', max_tokens: 100 },
    { param: 'max_tokens', code: 'unsupported_parameter' },
  ],
  [
    'a temperature on a reasoning model',
    { model: 'gpt-5.1', temperature: 0.2 },
    { param: 'temperature', code: 'unsupported_value' },
  ],
  [
    'a breakpoint before GPT-5.6',
    { messages: [user([{ type: 'text', text: 'hi', ...mark }])] },
    { message: /'prompt_cache_breakpoint' is not supported/ },
  ],
  ['cache options before GPT-5.6', { prompt_cache_options: { mode: 'implicit' } }, { param: 'prompt_cache_options' }],
  [
    'a breakpoint on a message',
    { model: 'gpt-5.6-sol', messages: [{ ...user('hi'), ...mark }] },
    { message: /Invalid 'prompt_cache_breakpoint'/ },
  ],
  [
    'a prompt over the window',
    { model: 'gpt-4o-mini', messages: [user('word '.repeat(800))] },
    { message: /maximum context length is 500 tokens/, param: 'messages', code: 'context_length_exceeded' },
  ],
  [
    'input and output over the window',
    { model: 'gpt-4o-mini', max_tokens: 450, messages: [user('word '.repeat(100))] },
    { message: /in the completion/, code: 'context_length_exceeded' },
  ],
]

describe('what Chat Completions refuses (spec 2)', () => {
  it.each(refusals)('%s', async (_, change, { message, ...rest }) => {
    const { status, body } = await post({ ...base, ...change })
    expect(status).toBe(400)
    expect(Object.keys(body.error!).toSorted()).toEqual(['code', 'message', 'param', 'type'])
    expect(body.error).toMatchObject({ type: 'invalid_request_error', ...rest })
    if (message) expect(body.error!['message']).toMatch(message)
  })

  it('DeepSeek wants its reasoning back once there are tools', async () => {
    const messages = [user('hi'), { role: 'assistant', content: 'so' }, user('go on')]
    const body = { model: 'deepseek-v4-pro', thinking: { type: 'enabled' }, messages }
    expect(await post({ ...body, tools: [look] })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/reasoning_content/) } },
    })
    expect(await post(body)).toMatchObject({ status: 200 })
    expect(await post({ ...body, top_z: 1 })).toMatchObject({ status: 422 })
  })

  it('nothing of what is allowed', async () => {
    const allowed = [
      { messages: [{ role: 'assistant', content: 'first' }, user('hi')] },
      { messages: [user('hi'), calls('a', 'b'), result('b'), result('a'), user('so?')], tools: [look] },
      { messages: [{ role: 'developer', content: 'x' }, user([{ type: 'text', text: 'hi' }])] },
      { tools: [look], tool_choice: 'required' },
      {
        model: 'gpt-5.6-sol',
        prompt_cache_options: { mode: 'explicit' },
        messages: [user([{ type: 'text', text: 'hi', ...mark }])],
      },
    ]
    for (const change of allowed) expect(await post({ ...base, ...change })).toMatchObject({ status: 200 })
  })
})
