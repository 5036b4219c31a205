import { afterEach, describe, expect, it } from 'vitest'
import { closeStrictGateways, strictGateway } from './strict-server.fixture.ts'
import type { Answer, StrictGateway } from './strict-server.fixture.ts'

afterEach(closeStrictGateways)

const event = (value: object): string =>
  `${'type' in value ? `event: ${String(value.type)}\n` : ''}data: ${JSON.stringify(value)}\n\n`
const busy: Answer = { status: 529, body: { type: 'error', error: { type: 'overloaded_error', message: 'Busy.' } } }
const user = { role: 'user', content: 'Go.' }
const tool = { name: 'tide', description: 'Tides.', input_schema: { type: 'object', properties: {} } }
const call = { type: 'tool_use', id: 'toolu_1', name: 'tide', input: {} }
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'low' }] }

const config = {
  upstreams: {
    zai: { baseUrl: 'UPSTREAM', apiKey: 'z', dialect: ['anthropic-messages'], models: ['glm-*'] },
    vllm: { baseUrl: 'UPSTREAM/v1', apiKey: 'v', dialect: ['openai-chat'], models: ['qwen3-*', 'deepseek-*'] },
    xai: { baseUrl: 'UPSTREAM/v1', apiKey: 'x', dialect: ['openai-responses'], models: ['grok-*'] },
  },
}

async function post({ url }: StrictGateway, path: string, body: object): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}

const thinking = (signature: string): object => ({ type: 'thinking', thinking: 'hm', signature })
const message = (signature: string): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [thinking(signature), call],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 1 },
})
const messageEvents = (signature: string): readonly string[] => [
  event({ type: 'message_start', message: { ...message(signature), content: [] } }),
  event({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
  event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } }),
  event({ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature } }),
  event({ type: 'content_block_stop', index: 0 }),
  event({ type: 'content_block_start', index: 1, content_block: call }),
  event({ type: 'content_block_stop', index: 1 }),
  event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } }),
  event({ type: 'message_stop' }),
]
const signed = (signature: string, stream: boolean): Answer =>
  stream ? { sse: messageEvents(signature) } : { body: message(signature) }

const ask = (model: string, stream: boolean, messages: readonly object[]): object => ({
  model,
  stream,
  max_tokens: 2000,
  thinking: { type: 'enabled', budget_tokens: 1024 },
  tools: [tool],
  messages,
})
const said = (signature: string): object => ({ role: 'assistant', content: [thinking(signature), call] })
const claude = 'claude-sonnet-4-5'

describe.each([false, true])('who has signed what a reply brings is known in the next turn (stream: %s)', (stream) => {
  it('a stand-in’s signature goes back to the stand-in, and not to the model that was asked for', async () => {
    const gateway = await strictGateway({
      config: { ...config, fallbacks: { [claude]: ['glm-4.6'] } },
      answer: ({ body }, at) => {
        const { model } = JSON.parse(body) as { model: string }
        if (model === claude && at !== 2) return busy
        return model === claude ? undefined : signed('Z2xtc2lnbmVk', stream)
      },
    })
    await post(gateway, '/v1/messages', ask(claude, stream, [user]))
    const next = await post(gateway, '/v1/messages', ask(claude, stream, [user, said('Z2xtc2lnbmVk'), result]))
    expect(next.status).toBe(200)
    expect(gateway.sent.map(({ refused }) => refused)).toEqual([[], [], []])
    expect(gateway.sent[2]!.body).not.toContain('Z2xtc2lnbmVk')
    await post(gateway, '/v1/messages', ask(claude, stream, [user, said('Z2xtc2lnbmVk'), result, user]))
    expect(gateway.sent.at(-1)!.body).toContain('Z2xtc2lnbmVk')
  })

  it.each([
    ['glm-4.6', claude],
    [claude, 'glm-4.6'],
  ])('a client that changes from %s to %s', async (first, second) => {
    const gateway = await strictGateway({
      config,
      answer: (_, at) => (at === 0 ? signed('c2lnbmVkYnlmaXJzdA==', stream) : undefined),
    })
    await post(gateway, '/v1/messages', ask(first, stream, [user]))
    const again = [user, said('c2lnbmVkYnlmaXJzdA=='), result]
    for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
      await post(gateway, path, ask(second, stream, again))
      expect(gateway.sent.at(-1)!.path).toBe(path)
      expect(gateway.sent.at(-1)!.body).not.toContain('c2lnbmVkYnlmaXJzdA==')
    }
    await post(gateway, '/v1/messages', ask(first, stream, again))
    expect(gateway.sent.at(-1)!.body).toContain('c2lnbmVkYnlmaXJzdA==')
    expect(gateway.sent.flatMap(({ refused }) => refused)).toEqual([])
  })

  it('what OpenAI has sealed is not sent to xAI, and the other way', async () => {
    const sealed = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAsealed' }
    const output = [sealed, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] }]
    const response = { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output }
    for (const [first, second] of [
      ['gpt-5.1', 'grok-4'],
      ['grok-4', 'gpt-5.1'],
    ] as const) {
      const gateway = await strictGateway({
        config,
        answer: (_, at) =>
          at > 0 ? undefined : stream ? { sse: [event({ type: 'response.completed', response })] } : { body: response },
      })
      const body = { stream, store: false, include: ['reasoning.encrypted_content'] }
      await post(gateway, '/v1/responses', { ...body, model: first, input: [user] })
      const input = [user, sealed, { role: 'assistant', content: 'Hi.' }, user]
      await post(gateway, '/v1/responses', { ...body, model: second, input })
      expect(gateway.sent[1]!.body).not.toContain('gAAAAsealed')
      await post(gateway, '/v1/responses', { ...body, model: first, input })
      expect(gateway.sent[2]!.body).toContain('gAAAAsealed')
    }
  })
})

describe('a change of model within one dialect', () => {
  const made = (more: object): readonly object[] => [
    user,
    {
      role: 'assistant',
      content: null,
      ...more,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'tide', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'low' },
  ]

  it.each([
    ['gpt-5.1', { reasoning_content: 'hm' }],
    ['gpt-4.1', { reasoning_content: 'hm' }],
    ['deepseek-reasoner', {}],
    ['deepseek-reasoner', { reasoning_content: '' }],
  ])('%s gets calls with the reasoning that it takes: %j', async (model, more) => {
    for (const standsIn of [false, true]) {
      const gateway = await strictGateway({
        config: { ...config, fallbacks: { 'qwen3-30b': [model] } },
        answer: ({ body }) => (body.includes('qwen3-30b') ? busy : undefined),
      })
      const messages = made(more)
      const { status } = await post(gateway, '/v1/chat/completions', {
        model: standsIn ? 'qwen3-30b' : model,
        messages,
      })
      expect([status, gateway.sent.at(-1)!.refused]).toEqual([200, []])
    }
  })

  it('calls that another model has made for a client of Gemini are signed when Gemini is asked again', async () => {
    const parts = [{ functionCall: { name: 'tide', args: {} } }, { functionCall: { name: 'tide', args: {} } }]
    const response = { functionResponse: { name: 'tide', response: { output: 'low' } } }
    const contents = [
      { role: 'user', parts: [{ text: 'Go.' }] },
      { role: 'model', parts },
      { role: 'user', parts: [response, response] },
    ]
    const gateway = await strictGateway()
    const { status } = await post(gateway, '/v1beta/models/gemini-3.5-flash:generateContent', { contents })
    expect([status, gateway.sent[0]!.refused]).toEqual([200, []])
    await post(gateway, '/v1beta/models/gemini-2.5-flash:generateContent', { contents })
    expect(gateway.sent[1]!.body).toBe(JSON.stringify({ contents }))
  })
})
