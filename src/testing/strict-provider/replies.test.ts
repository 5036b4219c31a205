import { afterEach, describe, expect, it } from 'vitest'
import { closeStrictGateways, strictGateway } from './strict-server.fixture.ts'
import type { Answer, StrictGateway, StrictOptions } from './strict-server.fixture.ts'

afterEach(closeStrictGateways)

const schema = { type: 'object', properties: { dock: { type: 'string' } } }
const longName = 'mcp__plugin_harbour_office__list_all_arrivals_and_departures_of_one_day_by_dock'
const event = (value: object): string =>
  `${'type' in value ? `event: ${String(value.type)}\n` : ''}data: ${JSON.stringify(value)}\n\n`

// What JSON holds is looked at by what the test expects of it.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

interface Client {
  readonly name: string
  /** The path and body that ask this model, with tools `tide` and one of a long name. */
  ask(model: string, stream: boolean): { path: string; body: object }
  /** Calls in a reply, as name and arguments, and their ids. */
  calls(text: string, stream: boolean): readonly (readonly [id: string, name: string, args: string])[]
}

const data = (text: string): readonly Json[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as unknown)

const clients: readonly Client[] = [
  {
    name: 'anthropic-messages',
    ask: (model, stream) => ({
      path: '/v1/messages',
      body: {
        model,
        stream,
        max_tokens: 99,
        messages: [{ role: 'user', content: 'Go.' }],
        tools: ['tide', longName].map((name) => ({ name, description: '', input_schema: schema })),
      },
    }),
    calls(text, stream) {
      if (!stream)
        return JSON.parse(text).content.flatMap((block: Json) =>
          block.type === 'tool_use' ? [[block.id, block.name, JSON.stringify(block.input)]] : [],
        )
      const found: [string, string, string][] = []
      for (const { type, content_block: block, delta } of data(text)) {
        if (type === 'content_block_start' && block.type === 'tool_use') found.push([block.id, block.name, ''])
        if (delta?.type === 'input_json_delta') found.at(-1)![2] += delta.partial_json
      }
      return found
    },
  },
  {
    name: 'openai-responses',
    ask: (model, stream) => ({
      path: '/v1/responses',
      body: {
        model,
        stream,
        store: false,
        input: [{ role: 'user', content: 'Go.' }],
        tools: ['tide', longName].map((name) => ({ type: 'function', name, description: '', parameters: schema })),
      },
    }),
    calls(text, stream) {
      const response = stream ? data(text).at(-1).response : JSON.parse(text)
      return response.output.flatMap((item: Json) =>
        item.type === 'function_call' ? [[item.call_id, item.name, item.arguments]] : [],
      )
    },
  },
  {
    name: 'gemini',
    ask: (model, stream) => ({
      path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      body: {
        contents: [{ role: 'user', parts: [{ text: 'Go.' }] }],
        tools: [
          {
            functionDeclarations: ['tide', longName].map((name) => ({
              name,
              description: '',
              parametersJsonSchema: schema,
            })),
          },
        ],
      },
    }),
    calls(text, stream) {
      const chunks = stream ? data(text) : [JSON.parse(text)]
      return chunks.flatMap((chunk: Json) =>
        chunk.candidates[0].content.parts.flatMap(({ functionCall: call }: Json) =>
          call ? [[call.id, call.name, JSON.stringify(call.args)]] : [],
        ),
      )
    },
  },
]
const cases = clients.flatMap((client) => [false, true].map((stream) => ({ client, name: client.name, stream })))

/** The name under which the provider was told of a tool. */
const sentName = (body: string, at: number): string =>
  (JSON.parse(body) as { tools: { function: { name: string } }[] }).tools[at]!.function.name

const completion = (message: object, finish = 'tool_calls'): object => ({
  id: 'c',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: finish }],
})
const chunks = (deltas: readonly object[], finish = 'tool_calls'): readonly string[] => [
  ...deltas.map((delta) => event({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] })),
  event({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: finish }] }),
  'data: [DONE]\n\n',
]
const reply = (stream: boolean, calls: readonly object[]): Answer =>
  stream ? { sse: chunks(calls.map((call) => ({ tool_calls: [call] }))) } : { body: completion({ tool_calls: calls }) }

async function asked(client: Client, stream: boolean, options: StrictOptions & { model?: string }) {
  const gateway = await strictGateway(options)
  return { gateway, ...(await ask(gateway, client, { stream, model: options.model ?? 'gpt-5.1' })) }
}

async function ask({ url }: StrictGateway, client: Client, { stream, model }: { stream: boolean; model: string }) {
  const { path, body } = client.ask(model, stream)
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
}

const toChat = { upstreams: { vllm: { baseUrl: 'UPSTREAM/v1', dialect: ['openai-chat'], models: ['qwen3-*', 'm-*'] } } }
const model = 'qwen3-30b'

describe.each(cases)('calls that a chat server makes, to a client of $name (stream: $stream)', ({ client, stream }) => {
  it('have the client’s names, ids that it takes, and arguments', async () => {
    const { text } = await asked(client, stream, {
      config: toChat,
      model,
      answer: ({ body }) =>
        reply(stream, [
          { index: 0, id: 'functions.tide:0', type: 'function', function: { name: 'tide', arguments: { dock: 'A' } } },
          { index: 0, id: '', type: 'function', function: { name: sentName(body, 1), arguments: '{"dock":"B"}' } },
          { index: 1, id: 'functions.tide:2', type: 'function', function: { name: 'tide', arguments: '' } },
        ]),
    })
    const calls = client.calls(text, stream)
    expect(calls.map(([, name, args]) => [name, args])).toEqual([
      ['tide', '{"dock":"A"}'],
      [longName, '{"dock":"B"}'],
      ['tide', '{}'],
    ])
    const ids = calls.map(([id]) => id)
    expect(new Set(ids).size).toBe(3)
    if (client.name === 'anthropic-messages') for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
  })
})

const errorOf = (text: string, stream: boolean): string => (stream ? JSON.stringify(data(text).at(-1)) : text)
const midway = [event({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Do' } }] })]

describe.each(cases)('trouble of a chat server, to a client of $name (stream: $stream)', ({ client, stream }) => {
  it.each([
    ['a code', { code: 502, message: 'gone' }, 502],
    ['a name', { type: 'overloaded_error', message: 'gone' }, 529],
    ['a limit', { code: 'rate_limit_exceeded', message: 'gone' }, 429],
  ])('inside 200, by %s, is tried again', async (_, error, status) => {
    const answer = (): Answer => (stream ? { sse: [...midway, event({ error })] } : { body: { error } })
    const told = await asked(client, stream, { config: toChat, model, answer })
    if (!stream) expect(told.status).toBe(status)
    expect(errorOf(told.text, stream)).toContain('gone')
    expect(told.text).not.toMatch(/invalid_request_error|INVALID_ARGUMENT|"code":200/)
  })

  it('has a stand-in answer, in the body and at the beginning of a stream', async () => {
    const error = { code: 502, message: 'gone' }
    const answer = (_: unknown, at: number): Answer | undefined =>
      at > 0 ? undefined : stream ? { sse: [': ping\n\n', event({ error })] } : { body: { error } }
    const config = { ...toChat, fallbacks: { [model]: ['deepseek-chat'] } }
    const { status, text, gateway } = await asked(client, stream, { config, model, answer })
    expect([status, gateway.sent.flatMap(({ refused }) => refused), gateway.sent.length]).toEqual([200, [], 2])
    expect(text).toContain('Done.')
  })

  it.each(['text/plain', 'application/octet-stream', ''])('a stream called %j is read', async (type) => {
    const answer = (): Answer => ({
      headers: { 'content-type': type },
      sse: [...midway, ...chunks([{ content: 'ck.' }], 'stop')],
    })
    const { status, text } = await asked(client, true, { config: toChat, model, answer })
    expect(status).toBe(200)
    expect(text).toMatch(/ck\./)
  })

  it('a whole reply is a stream where one was asked for', async () => {
    const answer = (): Answer => ({ body: completion({ content: 'Dock A.' }, 'stop') })
    const { type, text } = await asked(client, true, { config: toChat, model, answer })
    expect(type).toContain('text/event-stream')
    expect(text).toContain('Dock A.')
  })
})

describe('in one dialect', () => {
  const chat: Client = {
    name: 'openai-chat',
    ask: (asks, stream) => ({
      path: '/v1/chat/completions',
      body: { model: asks, stream, messages: [{ role: 'user', content: 'Go.' }] },
    }),
    calls: () => [],
  }
  const error = { code: 502, message: 'gone' }

  it('an error inside 200 has its status, and a stand-in is asked', async () => {
    const { status, text } = await asked(chat, false, { config: toChat, model, answer: () => ({ body: { error } }) })
    expect([status, text]).toEqual([502, JSON.stringify({ error })])
    for (const stream of [false, true]) {
      const first: Answer = stream ? { sse: [event({ error })] } : { body: { error } }
      const config = { ...toChat, fallbacks: { [model]: ['m-2'] } }
      const done = await asked(chat, stream, { config, model, answer: (_, at) => (at === 0 ? first : undefined) })
      expect([done.status, done.gateway.sent.length]).toEqual([200, 2])
      expect(done.text).toContain('Done.')
    }
  })

  it('a whole reply is a stream where one was asked for, and a stream is one by its bytes', async () => {
    const whole = await asked(chat, true, {
      config: toChat,
      model,
      answer: () => ({ body: completion({ content: 'Dock A.' }, 'stop') }),
    })
    expect([
      whole.type,
      data(whole.text)
        .map((chunk) => chunk.choices[0]?.delta.content)
        .join(''),
    ]).toEqual(['text/event-stream', 'Dock A.'])
    const plain = await asked(chat, true, {
      config: toChat,
      model,
      answer: () => ({ headers: { 'content-type': 'text/plain' }, sse: chunks([{ content: 'Dock A.' }], 'stop') }),
    })
    expect(plain.text).toContain('Dock A.')
  })

  it.each([
    [
      'openai-chat',
      '/v1/chat/completions',
      { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 7 }] },
      'messages[0].content',
    ],
    [
      'openai-chat',
      '/v1/chat/completions',
      { model: 'gemini-3.5-flash', messages: [{ role: 'user', content: 7 }] },
      'messages[0].content',
    ],
    [
      'openai-responses',
      '/v1/responses',
      { model: 'claude-sonnet-4-5', input: [{ role: 'user', content: 7 }] },
      'input[0].content',
    ],
    [
      'anthropic-messages',
      '/v1/messages',
      { model: 'gpt-5.1', max_tokens: 9, messages: [{ role: 'user', content: 7 }] },
      'messages[0].content',
    ],
    [
      'gemini',
      '/v1beta/models/gpt-5.1:generateContent',
      { contents: [{ role: 'user', parts: 7 }] },
      'contents[0].parts',
    ],
  ])('a body of %s that nobody can read goes to no provider that it does not name', async (_, path, body, field) => {
    const gateway = await strictGateway()
    for (const stream of [false, true]) {
      const sent = JSON.stringify({ ...body, ...(path.includes('Content') ? {} : { stream }) })
      const response = await fetch(gateway.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: sent,
      })
      expect([response.status, gateway.sent]).toEqual([400, []])
      expect(await response.text()).toContain(field)
    }
  })
})
