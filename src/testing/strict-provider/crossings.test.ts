import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/index.ts'
import { closeStrictGateways, strictGateway } from './strict-server.fixture.ts'
import type { StrictGateway } from './strict-server.fixture.ts'

afterEach(closeStrictGateways)

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const csv = 'Ym9hdCxtZXRyZXMKYW5uLDEyCg=='
const longName = 'mcp__plugin_harbour_office__list_all_arrivals_and_departures_of_one_day_by_dock'
const longId = `call_${'x'.repeat(70)}`
const choice = { anyOf: [{ required: ['ship'] }, { required: ['dock'] }] }
const schema = { type: 'object', properties: { ship: { type: 'string' }, dock: { type: 'string' } } }

/** A session that holds much that other providers refuse, in each dialect. */
const chat = (model: string): JsonObject => {
  const call = (id: string, name: string, args: string): JsonObject => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  })
  const used = (id: string, name: string, args: string): readonly JsonObject[] => [
    { role: 'assistant', content: null, reasoning_content: 'hm', tool_calls: [call(id, name, args)] },
    { role: 'tool', tool_call_id: id, content: 'low at 6' },
  ]
  return {
    model,
    temperature: 0.3,
    top_p: 1,
    tools: [
      { type: 'function', function: { name: longName, description: 'Lists.', parameters: { ...schema, ...choice } } },
      { type: 'function', function: { name: 'harbour.tide:now', description: 'Tides.' } },
      { type: 'function', function: { name: 'bare', description: 'Bare.', parameters: { type: 'object' } } },
    ],
    messages: [
      { role: 'system', content: 'Keep the log.' },
      { role: 'developer', content: 'Keep it short.' },
      { role: 'assistant', content: 'Good day \ud83d.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'file', file: { filename: 'boats.csv', file_data: `data:text/csv;base64,${csv}` } },
        ],
      },
      ...used('call_0', longName, '{"dock":"A"}'),
      { role: 'system', content: '9 entries left' },
      ...used('call_0', 'harbour.tide:now', ''),
      ...used('functions.tide:0', 'bare', '{}'),
      ...used(longId, 'bare', '{}'),
      { role: 'system', content: '8 entries left' },
      { role: 'user', content: 'Go on.' },
    ],
  }
}

const anthropic = (model: string): JsonObject => {
  const used = (id: string, name: string, content: unknown): readonly JsonObject[] => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: '' },
        { type: 'tool_use', id, name, input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: content as JsonObject[] }] },
  ]
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }
  return {
    model,
    max_tokens: 300,
    temperature: 0.3,
    system: [
      { type: 'text', text: 'Keep the log.' },
      { type: 'text', text: 'Keep it short.' },
    ],
    tools: [
      { name: longName, description: 'Lists.', input_schema: { ...schema, ...choice } },
      { name: 'shot', description: 'Shows.', input_schema: { type: 'object' } },
    ],
    messages: [
      { role: 'user', content: 'Log the ships.' },
      { role: 'assistant', content: [{ type: 'compaction', content: 'Ada lies at dock A.' }] },
      {
        role: 'user',
        content: [
          {
            type: 'document',
            title: 'Timetable',
            source: { type: 'text', media_type: 'text/plain', data: 'The ferry leaves at 23:40.' },
          },
          { type: 'text', text: 'When?' },
        ],
      },
      ...used('toolu_1', longName, [{ type: 'text', text: 'Nobody.' }]),
      { role: 'system', content: '9 entries left' },
      ...used('toolu_2', 'shot', [image]),
      { role: 'system', content: '8 entries left' },
    ],
  }
}

const responses = (model: string): JsonObject => {
  const used = (id: string, name: string, more: JsonObject = {}): readonly JsonObject[] => [
    { type: 'reasoning', id: `rs_${id}`, summary: [{ type: 'summary_text', text: 'hm' }] },
    { type: 'function_call', call_id: id, name, arguments: '', ...more },
    {
      type: 'function_call_output',
      call_id: id,
      output: [
        { type: 'input_text', text: 'ok' },
        { type: 'input_image', image_url: `data:image/png;base64,${pixel}` },
      ],
    },
  ]
  const own = {
    type: 'function',
    name: 'search',
    description: 'Searches.',
    strict: false,
    parameters: { ...schema, ...choice },
  }
  return {
    model,
    store: false,
    temperature: 0.3,
    top_p: 0.9,
    instructions: 'Keep the log.',
    tools: [
      { type: 'namespace', name: 'mcp__docs', description: 'Docs.', tools: [own] },
      { type: 'function', name: longName, description: 'Lists.', parameters: {} },
    ],
    input: [
      { role: 'developer', content: 'Keep it short.' },
      { role: 'user', content: 'Who may moor?' },
      ...used('c1', 'search', { namespace: 'mcp__docs' }),
      { role: 'developer', content: '9 entries left' },
      ...used('c1', longName),
      ...used(longId, longName),
      { role: 'user', content: 'Go on.' },
    ],
  }
}

const gemini = (): JsonObject => {
  const used = (name: string, response: JsonObject): readonly JsonObject[] => [
    { role: 'model', parts: [{ text: 'hm', thought: true }, { functionCall: { name, args: {} } }] },
    {
      role: 'user',
      parts: [{ functionResponse: { name, response } }, { inlineData: { mimeType: 'image/png', data: pixel } }],
    },
  ]
  return {
    systemInstruction: { parts: [{ text: 'Keep the log.' }] },
    tools: [
      {
        functionDeclarations: [
          { name: 'harbour.tide:now', description: 'Tides.' },
          { name: longName.slice(0, 64), description: 'Lists.', parametersJsonSchema: choice },
        ],
      },
    ],
    generationConfig: { temperature: 1.5, topP: 0.9 },
    contents: [
      { role: 'model', parts: [{ text: 'Good day.' }] },
      { role: 'user', parts: [{ text: 'Go.' }, { inlineData: { mimeType: 'text/csv', data: csv } }] },
      ...used('harbour.tide:now', { output: 'low' }),
      {
        role: 'model',
        parts: [
          { executableCode: { language: 'PYTHON', code: 'print(9)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'nine boats' } },
        ],
      },
      ...used('harbour.tide:now', { output: 'low' }),
    ],
  }
}

const models = [
  'gpt-5.1',
  'gpt-4.1',
  'claude-sonnet-4-5',
  'claude-opus-4-6',
  'claude-opus-5',
  'gemini-2.5-pro',
  'gemini-3.5-flash',
  'models/gemini-2.5-flash',
  'deepseek-reasoner',
  'deepseek-chat',
  'qwen3-30b',
  'mistral-medium-latest',
]
const clients = {
  'openai-chat': (model: string) => ({ path: '/v1/chat/completions', body: chat(model) }),
  'anthropic-messages': (model: string) => ({ path: '/v1/messages', body: anthropic(model) }),
  'openai-responses': (model: string) => ({ path: '/v1/responses', body: responses(model) }),
  'gemini': (model: string) => ({
    path: `/v1beta/models/${model.replace('models/', '')}:generateContent`,
    body: gemini(),
  }),
} as const

/** In their own dialects bodies go as they come, faults included. */
const own: Readonly<Record<keyof typeof clients, RegExp>> = {
  'openai-chat': /^(?:gpt|deepseek|qwen|mistral)/,
  'anthropic-messages': /^claude/,
  'openai-responses': /^gpt/,
  'gemini': /gemini/,
}
const crossings = Object.keys(clients).flatMap((client) =>
  models
    .filter((model) => !own[client as keyof typeof clients].test(model))
    .flatMap((model) => [false, true].map((stream) => ({ client: client as keyof typeof clients, model, stream }))),
)

const config = {
  upstreams: {
    vllm: { baseUrl: 'UPSTREAM/v1', models: ['qwen3-*'] },
    mistral: { baseUrl: 'UPSTREAM/v1', apiKey: 'm', models: ['mistral-*'] },
  },
}

async function send({ url }: StrictGateway, path: string, body: object): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}

describe('a session that holds much that others refuse', () => {
  it.each(crossings)('$client asks $model (stream: $stream)', async ({ client, model, stream }) => {
    const gateway = await strictGateway({ config })
    const { path, body } = clients[client](model)
    const asked =
      client === 'gemini'
        ? { path: stream ? path.replace(':generate', ':streamGenerate') + '?alt=sse' : path, body }
        : { path, body: { ...body, ...(stream && { stream }) } }
    const { status, text } = await send(gateway, asked.path, asked.body)
    expect(gateway.sent.flatMap(({ refused }) => refused)).toEqual([])
    expect([status, status === 200 ? '' : text]).toEqual([200, ''])
    expect(text).toContain('Done.')
    // What is said first stays as it was when the session goes on.
    const [sent] = gateway.sent
    expect(sent!.body).toContain('Keep the log.')
  })
})
