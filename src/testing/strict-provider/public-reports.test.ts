import { afterEach, describe, expect, it } from 'vitest'
import { closeStrictGateways, strictGateway } from './strict-server.fixture.ts'
import type { Answer, StrictGateway } from './strict-server.fixture.ts'

afterEach(closeStrictGateways)

// What JSON holds is looked at by what the test expects of it.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

const schema = { type: 'object', properties: { dock: { type: 'string' } } }
const config = { upstreams: { vllm: { baseUrl: 'UPSTREAM/v1', dialect: ['openai-chat'], models: ['qwen3-*'] } } }
const event = (value: object): string =>
  `${'type' in value ? `event: ${String(value.type)}\n` : ''}data: ${JSON.stringify(value)}\n\n`
const data = (text: string): readonly Json[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as unknown)
const chunk = (delta: object, finish?: string): string =>
  event({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish ?? null }] })

async function ask({ url }: StrictGateway, path: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.text()
}

const claude = (model: string, more: object = {}): object => ({
  model,
  max_tokens: 300,
  messages: [{ role: 'user', content: 'Go.' }],
  ...more,
})
const chat = (model: string, messages: readonly object[] = [{ role: 'user', content: 'Go.' }], more: object = {}) => ({
  model,
  messages,
  ...more,
})

/** What a Claude client is told of a stream of chunks, of which the last carry the usage. */
async function streamed(sse: readonly string[]): Promise<readonly Json[]> {
  const gateway = await strictGateway({ config, answer: (): Answer => ({ sse: [...sse, 'data: [DONE]\n\n'] }) })
  return data(await ask(gateway, '/v1/messages', claude('qwen3-30b', { stream: true })))
}

async function sentFor(path: string, body: object): Promise<Json> {
  const gateway = await strictGateway({ config })
  await ask(gateway, path, body)
  expect(gateway.sent.flatMap(({ refused }) => refused)).toEqual([])
  return JSON.parse(gateway.sent.at(-1)!.body)
}

const call = (id: string, args = '{"dock":"A"}'): object => ({
  id,
  type: 'function',
  function: { name: 'tide', arguments: args },
})
const tools = [{ type: 'function', function: { name: 'tide', description: 'Tides.', parameters: schema } }]
/** What Gemini takes in the place of a signature. */
const anySignature = 'skip_thought_signature_validator'
const usage = { prompt_tokens: 40, completion_tokens: 7, total_tokens: 47 }

describe('reports that Prehend has never had', () => {
  it('an empty finish_reason in every chunk ends a reply once', async () => {
    const events = await streamed([
      chunk({ role: 'assistant', content: 'Do' }, ''),
      chunk({ content: 'ck.' }, ''),
      chunk({}, 'stop'),
    ])
    expect(events.filter(({ type }) => type === 'message_stop')).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'message_delta').map(({ delta }) => delta.stop_reason)).toEqual([
      'end_turn',
    ])
    expect(events.map(({ delta }) => delta?.text ?? '').join('')).toBe('Dock.')
  })

  it('a call that the output limit cut is told as cut', async () => {
    const events = await streamed([
      chunk({ role: 'assistant', tool_calls: [{ index: 0, ...call('a', '{"dock":') }] }),
      chunk({}, 'length'),
    ])
    expect(events.find(({ type }) => type === 'message_delta').delta.stop_reason).toBe('max_tokens')
  })

  it.each([
    ['in a chunk of its own', [chunk({ content: 'Hi' }), chunk({}, 'stop'), event({ id: 'c', choices: [], usage })]],
    [
      'with the end',
      [chunk({ content: 'Hi' }), event({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })],
    ],
    [
      'in every chunk',
      [
        event({
          id: 'c',
          choices: [{ index: 0, delta: { content: 'Hi' } }],
          usage: { ...usage, completion_tokens: 3 },
        }),
        event({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage }),
      ],
    ],
  ])('usage of a crossed stream is told once, and right: %s', async (_, sse) => {
    const deltas = (await streamed(sse)).filter(({ type }) => type === 'message_delta')
    expect(deltas.map((one) => [one.usage.input_tokens, one.usage.output_tokens])).toEqual([[40, 7]])
  })

  it.each([
    ['cumulative, as Claude tells it', { output_tokens: 7 }],
    ['with nulls', { input_tokens: null, output_tokens: 7, cache_read_input_tokens: null }],
    ['with the input again', { input_tokens: 40, output_tokens: 7 }],
  ])('usage of a Claude stream is not doubled for a Chat client: %s', async (_, last) => {
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [],
      stop_reason: null,
    }
    const sse = [
      event({ type: 'message_start', message: { ...message, usage: { input_tokens: 40, output_tokens: 1 } } }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }),
      event({ type: 'content_block_stop', index: 0 }),
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: last }),
      event({ type: 'message_stop' }),
    ]
    const gateway = await strictGateway({ answer: () => ({ sse }) })
    const options = { stream: true, stream_options: { include_usage: true } }
    const chunks = data(await ask(gateway, '/v1/chat/completions', chat('claude-sonnet-4-5', undefined, options)))
    const told = chunks.flatMap((one) => (one.usage ? [one.usage] : []))
    expect(told.map((one) => [one.prompt_tokens, one.completion_tokens])).toEqual([[40, 7]])
  })

  it('thoughts of Gemini count as output, in every dialect', async () => {
    const body = {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Low.' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 6, thoughtsTokenCount: 190, totalTokenCount: 236 },
    }
    const model = 'gemini-2.5-flash'
    const gateway = await strictGateway({ answer: () => ({ body }) })
    const reply = async (path: string, asked: object): Promise<Json> =>
      JSON.parse(await ask(gateway, path, asked)).usage
    expect((await reply('/v1/messages', claude(model))).output_tokens).toBe(196)
    expect((await reply('/v1/chat/completions', chat(model))).completion_tokens).toBe(196)
    expect((await reply('/v1/responses', { model, store: false, input: 'Go.' })).output_tokens).toBe(196)
  })

  it('parallel calls and their results are one turn each for Claude and Gemini, and Gemini 3 has its word for a signature', async () => {
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: null, tool_calls: [call('a'), call('b', '{"dock":"B"}')] },
      { role: 'tool', tool_call_id: 'a', content: 'low' },
      { role: 'tool', tool_call_id: 'b', content: 'high' },
    ]
    const asked = (model: string) => sentFor('/v1/chat/completions', chat(model, messages, { tools }))
    const toClaude = await asked('claude-sonnet-4-5')
    expect(toClaude.messages.map(({ role, content }: Json) => [role, content.length])).toEqual([
      ['user', 1],
      ['assistant', 2],
      ['user', 2],
    ])
    const { contents } = await asked('gemini-3.5-flash')
    expect(contents.map(({ role, parts }: Json) => [role, parts.length])).toEqual([
      ['user', 1],
      ['model', 2],
      ['user', 2],
    ])
    expect(contents[1].parts[0].thoughtSignature).toBe(anySignature)
  })

  it('tools of a Chat client are not strict where Responses would take them for it', async () => {
    const gateway = await strictGateway({
      config: { upstreams: { own: { baseUrl: 'UPSTREAM/v1', dialect: ['openai-responses'], models: ['own-*'] } } },
    })
    await ask(gateway, '/v1/chat/completions', chat('own-1', undefined, { tools }))
    expect(gateway.sent.at(-1)?.path).toBe('/v1/responses')
    expect(JSON.parse(gateway.sent.at(-1)!.body).tools[0].strict).toBe(false)
  })

  it('a call that stands as a block and as a call crosses once', async () => {
    const block = { type: 'tool_use', id: 'a', name: 'tide', input: { dock: 'A' } }
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [block], tool_calls: [call('a')] },
      { role: 'tool', tool_call_id: 'a', content: 'low' },
      { role: 'user', content: 'And?' },
    ]
    const { messages: sent } = await sentFor('/v1/chat/completions', chat('claude-sonnet-4-5', messages, { tools }))
    expect(JSON.stringify(sent).match(/"type":"tool_use"/g)).toHaveLength(1)
  })

  it('counts of tokens include the tools', async () => {
    const gateway = await strictGateway()
    const counted = async (count: number): Promise<number> => {
      const declared = Array.from({ length: count }, (_, at) => ({
        name: `tool_${at}`,
        description: 'Tides.',
        input_schema: schema,
      }))
      const { model, messages } = claude('gemini-2.5-flash') as Json
      const body = { model, messages, ...(count > 0 && { tools: declared }) }
      return JSON.parse(await ask(gateway, '/v1/messages/count_tokens', body)).input_tokens
    }
    const [none, one, forty] = [await counted(0), await counted(1), await counted(40)]
    expect(one).toBeGreaterThan(none)
    expect(forty - none).toBeGreaterThan(30 * (one - none))
  })
})

/** A long session, turn by turn, whose results are full of emoji; every third turn calls twice. */
const turns = 24
const resultOf = (at: number): string =>
  Array.from(
    { length: 90 },
    (_, line) => `${at}.${line} \u{1F6A2}\u{1F468}\u200D\u{1F692} boat ${line * at} lies at dock ${line % 7}`,
  ).join('\n')
const idsOf = (at: number): readonly string[] => (at % 3 === 0 ? [`call_${at}`, `call_${at}b`] : [`call_${at}`])

interface Session {
  readonly path: string
  body(upTo: number): object
  /** Results as they are sent, by their ids or in order. */
  last(sent: Json): string
  more?(sent: Json): void
}
const upTo = (count: number, turn: (at: number) => readonly object[]): readonly object[] =>
  Array.from({ length: count }, (_, at) => turn(at)).flat()

const sessions: Readonly<Record<string, Session>> = {
  'openai-chat': {
    path: '/v1/chat/completions',
    body: (count) => ({
      model: 'gpt-5.1',
      tools,
      messages: [
        { role: 'user', content: 'Log the ships.' },
        ...upTo(count, (at) => [
          { role: 'assistant', content: null, tool_calls: idsOf(at).map((id) => call(id)) },
          ...idsOf(at).map((id) => ({ role: 'tool', tool_call_id: id, content: resultOf(at) })),
        ]),
      ],
    }),
    last: ({ messages }) => messages.at(-1).content,
  },
  'anthropic-messages': {
    path: '/v1/messages',
    body: (count) => ({
      model: 'claude-opus-5',
      max_tokens: 300,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tools: [{ name: 'tide', description: 'Tides.', input_schema: schema }],
      messages: [
        { role: 'user', content: 'Log the ships.' },
        ...upTo(count, (at) => [
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: `hm ${at}`, signature: Buffer.from(`signed ${at}`).toString('base64') },
              ...idsOf(at).map((id) => ({ type: 'tool_use', id, name: 'tide', input: { dock: 'A' } })),
            ],
          },
          {
            role: 'user',
            content: idsOf(at).map((id) => ({ type: 'tool_result', tool_use_id: id, content: resultOf(at) })),
          },
        ]),
      ],
    }),
    last: ({ messages }) => {
      const { content } = messages.findLast(({ role }: Json) => role === 'user').content.at(-1)
      return typeof content === 'string' ? content : content[0].text
    },
    more({ messages }) {
      for (const { role, content } of messages)
        if (role === 'assistant' && content[0].type === 'thinking')
          expect(atob(content[0].signature)).toBe(content[0].thinking.replace('hm', 'signed'))
    },
  },
  'openai-responses': {
    path: '/v1/responses',
    body: (count) => ({
      model: 'gpt-5.1',
      store: false,
      tools: [{ type: 'function', name: 'tide', description: 'Tides.', parameters: schema, strict: false }],
      input: [
        { role: 'user', content: 'Log the ships.' },
        ...upTo(count, (at) => [
          { type: 'reasoning', id: `rs_${at}`, summary: [], encrypted_content: `gAAA${at}` },
          ...idsOf(at).map((id) => ({ type: 'function_call', call_id: id, name: 'tide', arguments: '{"dock":"A"}' })),
          ...idsOf(at).map((id) => ({ type: 'function_call_output', call_id: id, output: resultOf(at) })),
        ]),
      ],
    }),
    last: ({ input }) => input.at(-1).output,
    more({ input }) {
      for (const [at, { type }] of input.entries())
        if (type === 'reasoning') expect(input[at + 1].type).toBe('function_call')
    },
  },
  'gemini': {
    path: '/v1beta/models/gemini-3.5-flash:generateContent',
    body: (count) => ({
      tools: [{ functionDeclarations: [{ name: 'tide', description: 'Tides.', parametersJsonSchema: schema }] }],
      contents: [
        { role: 'user', parts: [{ text: 'Log the ships.' }] },
        ...upTo(count, (at) => [
          {
            role: 'model',
            parts: idsOf(at).map((id, nth) => ({
              functionCall: { id, name: 'tide', args: { dock: 'A' } },
              ...(nth === 0 && { thoughtSignature: Buffer.from(id).toString('base64') }),
            })),
          },
          {
            role: 'user',
            parts: idsOf(at).map((id) => ({
              functionResponse: { id, name: 'tide', response: { output: resultOf(at) } },
            })),
          },
        ]),
      ],
    }),
    last: ({ contents }) => contents.at(-1).parts.at(-1).functionResponse.response.output,
    more({ contents }) {
      for (const { functionCall, thoughtSignature } of contents.flatMap(({ parts }: Json) => parts))
        if (thoughtSignature !== undefined) expect(atob(thoughtSignature)).toBe(functionCall.id)
    },
  },
}

describe.each(['careful', 'thrifty'])('a long session under policy %s', (policy) => {
  it.each(Object.entries(sessions))(
    'has whole pairs, whole characters, its own reasoning and its newest result: %s',
    { timeout: 60_000 },
    async (_, { path, body, last, more }) => {
      const windows = { windowTokens: 20_000, maxOutputTokens: 1_000 }
      const models = { 'gpt-5.1': windows, 'claude-opus-5': windows, 'gemini-3.5-flash': windows }
      const gateway = await strictGateway({ config: { policy, models } })
      for (let count = 1; count <= turns; count += 1) {
        await ask(gateway, path, body(count))
        const { refused, body: text } = gateway.sent.at(-1)!
        expect([count, refused]).toEqual([count, []])
        const sent = JSON.parse(text)
        expect(last(sent)).toBe(resultOf(count - 1))
        more?.(sent)
      }
      expect(gateway.sent.at(-1)!.body.length).toBeLessThan(JSON.stringify(body(turns)).length / 2)
    },
  )
})

describe('a packed session', () => {
  it('stays packed where an early call was never answered', async () => {
    const models = { 'gpt-5.1': { windowTokens: 20_000, maxOutputTokens: 1_000 } }
    const gateway = await strictGateway({ config: { models } })
    const { body, path } = sessions['openai-chat']!
    const lost = [
      { role: 'assistant', content: null, tool_calls: [call('lost')] },
      { role: 'user', content: 'Go on.' },
    ]
    const sizes: number[] = []
    for (let count = 1; count <= turns; count += 1) {
      const { messages, ...rest } = body(count) as Json
      await ask(gateway, path, { ...rest, messages: messages.toSpliced(1, 0, ...lost) })
      sizes.push(gateway.sent.at(-1)!.body.length)
    }
    expect(Math.max(...sizes)).toBeLessThan(JSON.stringify(body(turns)).length / 2)
  })

  it('is sent with a compaction trigger as it was sent the turn before', async () => {
    const models = { 'gpt-5.1': { windowTokens: 20_000, maxOutputTokens: 1_000 } }
    const gateway = await strictGateway({ config: { models } })
    const { body, path } = sessions['openai-responses']!
    for (let count = 1; count <= turns; count += 1) await ask(gateway, path, body(count))
    const { input, ...rest } = body(turns) as Json
    await ask(gateway, path, { ...rest, input: [...input, { type: 'compaction_trigger' }] })
    const [before, after] = gateway.sent.slice(-2).map((sent) => JSON.parse(sent.body).input)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.at(-1)).toEqual({ type: 'compaction_trigger' })
  })
})

describe('reports that have come true here once', () => {
  it('a reminder in each turn leaves what Gemini was sent before as it was', async () => {
    const gateway = await strictGateway({ config })
    const used = (at: number): readonly object[] => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${at}`, name: 'tide', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${at}`, content: 'low' }] },
      { role: 'system', content: `${9 - at} entries left` },
    ]
    const declared = [{ name: 'tide', description: 'Tides.', input_schema: schema }]
    for (let count = 1; count <= 4; count += 1) {
      const messages = [{ role: 'user', content: 'Log.' }, ...upTo(count, used)]
      const more = { system: 'Keep the log.', tools: declared, messages }
      await ask(gateway, '/v1/messages', claude('gemini-3.5-flash', more))
    }
    const sent = gateway.sent.map(({ body, refused }) => (expect(refused).toEqual([]), JSON.parse(body)))
    for (const [at, { systemInstruction, contents }] of sent.entries()) {
      expect(systemInstruction).toEqual(sent[0].systemInstruction)
      if (at > 0) expect(contents.slice(0, sent[at - 1].contents.length)).toEqual(sent[at - 1].contents)
      expect(JSON.stringify(contents)).toContain(`${9 - at} entries left`)
    }
  })

  const asBlocks = [{ type: 'text', text: 'low' }]
  const useBlock = { type: 'tool_use', id: 'a', name: 'tide', input: { dock: 'A' } }
  it.each([
    ['a result of words', { content: null, tool_calls: [call('a')] }, 'low'],
    ['a result of blocks', { content: null, tool_calls: [call('a')] }, asBlocks],
    ['a call and a result', { content: [{ type: 'text', text: 'I look.' }, useBlock] }, asBlocks],
  ])('blocks of Anthropic in a Chat body reach every provider: %s', async (_, called, content) => {
    const result = { type: 'tool_result', tool_use_id: 'a', content, is_error: true }
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', ...called },
      { role: 'user', content: [result, { type: 'text', text: 'And?' }] },
    ]
    const body = (model: string): object => chat(model, messages, { tools })
    const toClaude = await sentFor('/v1/chat/completions', body('claude-sonnet-4-5'))
    expect(toClaude.messages[1].content.at(-1)).toEqual(useBlock)
    expect(toClaude.messages[2].content[0]).toMatchObject({ type: 'tool_result', tool_use_id: 'a', is_error: true })
    expect(JSON.stringify(toClaude.messages[2].content)).toContain('low')
    expect(toClaude.messages[2].content.at(-1)).toMatchObject({ type: 'text', text: 'And?' })
    const { contents } = await sentFor('/v1/chat/completions', body('gemini-2.5-flash'))
    expect(contents[1].parts.at(-1).functionCall).toMatchObject({ name: 'tide', args: { dock: 'A' } })
    expect(contents[2].parts[0].functionResponse.response).toEqual({ error: 'low' })
    const gateway = await strictGateway({ config })
    await ask(gateway, '/v1/chat/completions', body('qwen3-30b'))
    expect(JSON.parse(gateway.sent.at(-1)!.body).messages).toEqual(messages)
  })

  it.each([
    ['gpt-4o', true],
    ['o3-mini', true],
    ['gpt-4.1', false],
    ['gpt-5.1', false],
    ['qwen3-30b', false],
  ])('a long description is shortened for the models that refuse it, and the loss is named: %s', async (model, is) => {
    const description = `${'Tells the tide of a dock. '.repeat(60)}Never guesses.`
    const tool = { name: 'tide', description, input_schema: schema }
    const gateway = await strictGateway({ config })
    const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
    const body = JSON.stringify(claude(model, { tools: [tool] }))
    const response = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', headers, body })
    await response.text()
    const [request] = gateway.sent
    expect(request?.refused).toEqual([])
    const sent: string = JSON.parse(request!.body).tools[0].function.description
    if (!is) return expect(sent).toBe(description)
    expect(sent.length).toBeLessThanOrEqual(1024)
    expect(sent).toMatch(/^Tells the tide of a dock\..*of a dock\. …$/)
    expect(response.headers.get('x-prehend-lost')).toContain('tool 1')
    return undefined
  })

  it('what a schema refers to stands in its place for Gemini, which refuses what stands beside a reference', async () => {
    const Dock = { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/Dock' } } }
    const inputs = {
      type: 'object',
      properties: { dock: { $ref: '#/$defs/Dock', title: 'Dock' }, kind: { $ref: '#/$defs/Kind', title: 'Kind' } },
      $defs: { Dock, Kind: { type: 'string', enum: ['a'] } },
    }
    const functions = [{ type: 'function', function: { name: 'tide', description: 'Tides.', parameters: inputs } }]
    const format = { type: 'json_schema', json_schema: { name: 'reply', schema: inputs } }
    const asked = chat('gemini-2.5-flash', undefined, { tools: functions, response_format: format })
    const sent = await sentFor('/v1/chat/completions', asked)
    const shown = {
      type: 'object',
      properties: { dock: { ...Dock, title: 'Dock' }, kind: { type: 'string', enum: ['a'], title: 'Kind' } },
      $defs: { Dock },
    }
    expect(sent.tools[0].functionDeclarations[0].parametersJsonSchema).toEqual(shown)
    expect(sent.generationConfig.responseJsonSchema).toEqual(shown)
    const top = { $ref: '#/$defs/Dock', $defs: { Dock } }
    const [tool] = functions
    const atTop = { tools: [{ ...tool, function: { ...tool!.function, parameters: top } }] }
    const claudes = await sentFor('/v1/chat/completions', chat('claude-sonnet-4-5', undefined, atTop))
    expect(claudes.tools[0].input_schema).toEqual({ ...Dock, $defs: { Dock } })
  })

  it.each(['on', 'observe', 'off'])('a crossed stream begins with our own count of the request: %s', async (mode) => {
    const told = async (words: string, sse: readonly string[]): Promise<readonly Json[]> => {
      const gateway = await strictGateway({ config, answer: () => ({ sse: [...sse, 'data: [DONE]\n\n'] }) })
      const headers = { 'content-type': 'application/json', 'x-prehend-mode': mode }
      const body = JSON.stringify(claude('qwen3-30b', { stream: true, messages: [{ role: 'user', content: words }] }))
      const response = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', headers, body })
      return data(await response.text())
    }
    const spoken = [chunk({ role: 'assistant', content: 'Low.' }), chunk({}, 'stop')]
    const words = 'How is the tide at dock A? '.repeat(100)
    const [start] = await told(words, [...spoken, event({ id: 'c', choices: [], usage })])
    expect(start.message.usage.input_tokens).toBeGreaterThan(600)
    expect(start.message.usage.input_tokens).toBeLessThan(1100)
    const ended = async (sse: readonly string[]): Promise<number> =>
      (await told(words, sse)).find(({ type }) => type === 'message_delta').usage.input_tokens
    expect(await ended([...spoken, event({ id: 'c', choices: [], usage })])).toBe(40)
    expect(await ended(spoken)).toBe(start.message.usage.input_tokens)
  })

  it('an SVG is text for Claude', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>dock A</title></svg>'
    const url = `data:image/svg+xml;base64,${btoa(svg)}`
    const content = [
      { type: 'text', text: 'Look.' },
      { type: 'image_url', image_url: { url } },
    ]
    const sent = await sentFor('/v1/chat/completions', chat('claude-sonnet-4-5', [{ role: 'user', content }]))
    expect(JSON.stringify(sent)).toContain('<title>dock A</title>')
  })

  it.each([false, true])('what Mistral thinks reaches a Claude client (stream: %s)', async (stream) => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Two docks are free.' }] },
      { type: 'text', text: 'Dock A.' },
    ]
    const message = { role: 'assistant', content }
    const body = { id: 'c', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] }
    const answer = (): Answer => (stream ? { sse: [chunk({ content }), chunk({}, 'stop')] } : { body })
    const gateway = await strictGateway({ config, answer })
    const text = await ask(gateway, '/v1/messages', claude('qwen3-30b', { stream }))
    for (const words of ['Two docks are free.', 'Dock A.']) expect(text).toContain(words)
  })
})
