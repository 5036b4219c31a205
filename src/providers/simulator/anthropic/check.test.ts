import { describe, expect, it } from 'vitest'
import { modelCatalogue } from '../../../tokens/index.ts'
import { simulatedProvider } from '../simulated-provider.ts'

const marker = { type: 'ephemeral' }
const hour = { type: 'ephemeral', ttl: '1h' }
const text = (value: string, rest: object = {}) => ({ type: 'text', text: value, ...rest })
const call = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} })
const result = (id: string, rest: object = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'seen', ...rest })
const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const look = { name: 'look', description: 'Looks', input_schema: { type: 'object' } }
const base = { model: 'claude-opus-5', max_tokens: 100, messages: [user('hi')] }

async function post(body: object, headers: object = {}) {
  const provider = simulatedProvider({
    catalogue: modelCatalogue({ models: { 'claude-haiku-4-5': { windowTokens: 500, maxOutputTokens: 64_000 } } }),
  })
  const response = await provider.fetch('https://api.anthropic.com/v1/messages', {
    method: 'POST',
    headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

type Case = readonly [name: string, body: object, message: RegExp]

const refusals: readonly Case[] = [
  ['no max_tokens', { max_tokens: undefined }, /^max_tokens: Field required/],
  ['more output than the model gives', { max_tokens: 1_000_000 }, /^max_tokens: 1000000 > \d+, which is the maximum/],
  ['no messages', { messages: [] }, /at least one message is required/],
  ['an unknown role', { messages: [{ role: 'tool', content: 'x' }] }, /^messages\.0\.role/],
  ['an unknown field', { prehend: {} }, /^prehend: Extra inputs are not permitted/],
  ['empty content', { messages: [user([])] }, /^messages\.0: all messages must have non-empty content/],
  ['an empty text', { messages: [user([text('')])] }, /text content blocks must be non-empty/],
  ['a blank text', { messages: [user(' \n')] }, /must contain non-whitespace text/],
  ['a call in a user message', { messages: [user([call('a')])] }, /`tool_use` blocks can only be in `assistant`/],
  [
    'a prefill where it is not supported',
    { messages: [user('hi'), assistant('So')] },
    /does not support assistant message prefill/,
  ],
  ['sampling where it is fixed', { temperature: 0.2 }, /^temperature: /],
  [
    'a call without a result',
    { tools: [look], messages: [user('hi'), assistant([call('a'), call('b')]), user([result('a')])] },
    /`tool_use` ids were found without `tool_result` blocks immediately after: b\./,
  ],
  [
    'a result behind other content',
    { tools: [look], messages: [user('hi'), assistant([call('a')]), user([text('so'), result('a')])] },
    /without `tool_result` blocks immediately after: a\./,
  ],
  [
    'a result without a call',
    { messages: [user('hi'), assistant([text('so')]), user([result('a')])] },
    /^messages\.2\.content\.0: unexpected `tool_use_id` found in `tool_result` blocks: a\./,
  ],
  [
    'two results for a call',
    { tools: [look], messages: [user('hi'), assistant([call('a')]), user([result('a'), result('a')])] },
    /must have a single result/,
  ],
  [
    'a call id used twice',
    {
      tools: [look],
      messages: [user('hi'), assistant([call('a')]), user([result('a')]), assistant([call('a')]), user([result('a')])],
    },
    /`tool_use` ids must be unique/,
  ],
  ['two tools of one name', { tools: [look, look] }, /Tool names must be unique/],
  ['a tool name with a space', { tools: [{ ...look, name: 'look up' }] }, /^tools\.0\.custom\.name/],
  [
    'only deferred tools',
    { tools: [{ ...look, defer_loading: true }] },
    /At least one tool must have defer_loading=false/,
  ],
  [
    'a choice of an unknown tool',
    { tools: [look], tool_choice: { type: 'tool', name: 'see' } },
    /Tool 'see' not found/,
  ],
  ['a choice without tools', { tool_choice: { type: 'any' } }, /only be specified while providing tools/],
  [
    'an unknown tool reference',
    {
      tools: [look],
      messages: [
        user('hi'),
        assistant([call('a')]),
        user([{ ...result('a'), content: [{ type: 'tool_reference', tool_name: 'see' }] }]),
      ],
    },
    /Tool reference 'see' not found/,
  ],
  [
    'B-09: five markers',
    {
      system: [1, 2, 3, 4].map((n) => text(`s${n}`, { cache_control: marker })),
      messages: [user([text('hi', { cache_control: marker })])],
    },
    /A maximum of 4 blocks with cache_control may be provided\. Found 5\./,
  ],
  [
    'one hour after five minutes',
    { system: [text('s', { cache_control: marker })], messages: [user([text('hi', { cache_control: hour })])] },
    /^messages\.0\.content\.0\.cache_control\.ttl: a ttl='1h' cache_control block must not come after a ttl='5m'/,
  ],
  [
    'a marker of another type',
    { system: [text('s', { cache_control: { type: 'lasting' } })] },
    /^system\.0\.cache_control/,
  ],
  [
    'a marker of another lifetime',
    { system: [text('s', { cache_control: { type: 'ephemeral', ttl: '2h' } })] },
    /Input should be '5m' or '1h'/,
  ],
  [
    'a marker on thinking',
    {
      messages: [
        user('hi'),
        assistant([{ type: 'thinking', thinking: '', signature: 's', cache_control: marker }, text('so')]),
        user('go on'),
      ],
    },
    /^messages\.1\.content\.0\.thinking\.cache_control: Extra inputs/,
  ],
  [
    'an automatic marker as the fifth',
    { cache_control: marker, system: [1, 2, 3, 4].map((n) => text(`s${n}`, { cache_control: marker })) },
    /Found 5/,
  ],
  [
    'an automatic marker of another lifetime',
    { cache_control: hour, messages: [user([text('hi', { cache_control: marker })])] },
    /differs from the marker/,
  ],
  [
    'a thinking mode that the model lacks',
    { thinking: { type: 'enabled', budget_tokens: 2000 }, max_tokens: 4000 },
    /'enabled' is not supported/,
  ],
  [
    'an interjection on a model without them',
    { model: 'claude-sonnet-5', messages: [user('hi'), { role: 'system', content: 'x' }] },
    /role 'system' is not supported on this model/,
  ],
  [
    'an interjection out of place',
    { messages: [{ role: 'system', content: 'x' }, user('hi')] },
    /role 'system' must follow/,
  ],
  ['max_tokens 0 in a stream', { max_tokens: 0, stream: true }, /max_tokens: 0 cannot be combined with stream/],
]

const older = { model: 'claude-sonnet-4-5', max_tokens: 4000 }
const olderRefusals: readonly Case[] = [
  ['adaptive thinking', { thinking: { type: 'adaptive' } }, /adaptive thinking is not supported on this model/],
  ['a small thinking budget', { thinking: { type: 'enabled', budget_tokens: 100 } }, /greater than or equal to 1024/],
  [
    'a thinking budget over max_tokens',
    { thinking: { type: 'enabled', budget_tokens: 5000 } },
    /`max_tokens` must be greater/,
  ],
  [
    'a forced tool with thinking',
    { thinking: { type: 'enabled', budget_tokens: 2000 }, tools: [look], tool_choice: { type: 'any' } },
    /may not be enabled when tool_choice forces/,
  ],
  ['a prefill that ends in space', { messages: [user('hi'), assistant('So ')] }, /cannot end with trailing whitespace/],
  [
    'a tool turn without its thinking',
    {
      thinking: { type: 'enabled', budget_tokens: 2000 },
      tools: [look],
      messages: [user('hi'), assistant([call('a')]), user([result('a')])],
    },
    /Expected `thinking` or `redacted_thinking`, but found `tool_use`/,
  ],
]

describe('what the Messages API refuses (spec 1)', () => {
  it.each(refusals)('%s', async (_, change, message) => {
    const { status, body } = await post({ ...base, ...change })
    expect(body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
    expect((body['error'] as { message: string }).message).toMatch(message)
    expect(status).toBe(400)
    expect(body['request_id']).toMatch(/^req_/)
  })

  it.each(olderRefusals)('%s, on a model of the 4.5 generation', async (_, change, message) => {
    const { status, body } = await post({ ...base, ...older, ...change })
    expect((body['error'] as { message: string }).message).toMatch(message)
    expect(status).toBe(400)
  })

  it('a request without a model, a version or a key', async () => {
    expect(await post({ ...base, model: undefined })).toMatchObject({
      status: 400,
      body: { error: { message: 'model: Field required' } },
    })
    expect(await post(base, { 'x-api-key': '' })).toMatchObject({
      status: 401,
      body: { error: { type: 'authentication_error' } },
    })
    expect(await post({ ...base, model: 'claude-9' })).toMatchObject({
      status: 404,
      body: { error: { type: 'not_found_error' } },
    })
    const provider = simulatedProvider()
    const response = await provider.fetch('http://a/v1/messages', {
      method: 'POST',
      headers: { 'x-api-key': 'k' },
      body: '{"model":"claude-opus-5"}',
    })
    expect(await response.text()).toContain('anthropic-version: header is required')
  })

  it('a body that is not JSON', async () => {
    const provider = simulatedProvider()
    const response = await provider.fetch('http://a/v1/messages', {
      method: 'POST',
      headers: { 'x-api-key': 'k' },
      body: '{',
    })
    expect(response.status).toBe(400)
  })

  it('a prompt over the window, and stops at the window when only the output is over', async () => {
    const long = { model: 'claude-haiku-4-5', messages: [user('word '.repeat(800))] }
    expect(await post({ ...base, ...long })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/prompt is too long: \d+ tokens > 500 maximum/) } },
    })
    const stopped = await post({
      ...base,
      model: 'claude-haiku-4-5',
      max_tokens: 600,
      messages: [user('word '.repeat(430))],
    })
    expect(stopped).toMatchObject({ status: 200, body: { stop_reason: 'model_context_window_exceeded' } })
  })

  it('nothing of what is allowed', async () => {
    const allowed = [
      { system: [text('s', { cache_control: hour })], messages: [user([text('hi', { cache_control: marker })])] },
      { messages: [user('one'), user('two')] },
      {
        tools: [look],
        messages: [
          user('hi'),
          assistant([call('a'), call('b')]),
          user([result('a')]),
          user([result('b'), text('so?')]),
        ],
      },
      { messages: [user('hi'), assistant('so'), user('go on'), { role: 'system', content: 'be brief' }] },
      { cache_control: marker },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
      { max_tokens: 0 },
    ]
    for (const change of allowed) expect(await post({ ...base, ...change })).toMatchObject({ status: 200 })
  })
})
