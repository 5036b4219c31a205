import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Conversation, Item, JsonObject, Pack } from '../core/index.ts'
import { isJsonObject } from '../core/index.ts'
import { simulatedProvider } from '../providers/index.ts'
import type { Codec } from './index.ts'
import { codecFor, codecs } from './index.ts'

const openai = codecFor('openai-chat')
const anthropic = codecFor('anthropic-messages')
const gemini = codecFor('gemini')
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** What an item says, whatever dialect it came in. */
function neutral({ kind, role, text, toolName, toolCallId, media }: Item): unknown {
  const { detail: _, ...known } = media ?? { type: undefined }
  const isJson = kind === 'tool-call'
  return [
    kind,
    kind === 'tool-schema' ? undefined : role,
    isJson ? JSON.parse(text) : text,
    toolName,
    toolCallId,
    known,
  ]
}

function said({ items, tools, sampling, model, maxOutputTokens }: Conversation): unknown {
  const speaking = items.filter((item) => item.kind !== 'tool-schema')
  return { items: speaking.map(neutral), tools, sampling, model, maxOutputTokens }
}

type Written = ReturnType<Codec['write']> & { readonly json: JsonObject; readonly path: string }

function written(to: Codec, from: Codec, body: JsonObject, path?: string): Written {
  const exchange = from.decode({ body: JSON.stringify(body), ...(path !== undefined && { path }) })
  const result = to.write(exchange.conversation, { mediaUrl: (id) => from.mediaUrl(exchange, id) })
  return { ...result, json: JSON.parse(result.body), path: to.pathTo(exchange.conversation) }
}

const words = fc.string({ minLength: 1, maxLength: 12 })
const input = fc.dictionary(fc.constantFrom('path', 'n'), fc.oneof(fc.string(), fc.integer()), { maxKeys: 2 })
const step = fc.oneof(
  fc.record({ says: words, picture: fc.constantFrom('none', 'url', 'data') }),
  fc.record({
    calls: fc.array(fc.record({ input, result: fc.string() }), { minLength: 1, maxLength: 3 }),
    text: words,
  }),
  fc.record({ answers: words.map((text) => `${text}.`) }),
)
const sampling = fc.record(
  {
    temperature: fc.constantFrom(0, 0.5, 1),
    topP: fc.constantFrom(0.1, 0.9),
    stop: fc.array(words, { minLength: 1, maxLength: 3 }),
    toolChoice: fc.constantFrom('auto', 'none', 'required', 'read'),
    parallel: fc.boolean(),
  },
  { requiredKeys: [] },
)

const isBlank = (text: string): boolean => text !== '' && text.trim() === ''

/** Anthropic refuses texts of white space alone. */
function hasBlankText(body: JsonObject): boolean {
  const { items } = anthropic.decode({ body: JSON.stringify(body) }).conversation
  return items.some(({ text }) => isBlank(text))
}

/** Gemini cannot be told to make one call at a time, and wants to know what stands behind a URL. */
function sayableInGemini(plan: Plan): Plan {
  const { parallel: _, ...how } = plan.sampling
  const steps = plan.steps.map((one) =>
    'picture' in one && one.picture === 'url' ? { ...one, picture: 'data' as const } : one,
  )
  return { ...plan, steps, sampling: how }
}

const told = fc.record({ system: fc.array(words, { maxLength: 2 }), steps: fc.array(step, { maxLength: 6 }), sampling })

type Plan = typeof told extends fc.Arbitrary<infer T> ? T : never

/** An Anthropic body; `written` makes OpenAI's of it. */
function anthropicBody({ system, steps, sampling: how }: Plan): JsonObject {
  let calls = 0
  const text = (value: string): JsonObject => ({ type: 'text', text: value })
  const messages = steps.flatMap((one): JsonObject[] => {
    if ('says' in one) {
      const source =
        one.picture === 'url'
          ? { type: 'url', url: 'https://example.org/a.png' }
          : { type: 'base64', media_type: 'image/png', data: pixel }
      const picture = one.picture === 'none' ? [] : [{ type: 'image', source }]
      return [{ role: 'user', content: [text(one.says), ...picture] }]
    }
    if ('answers' in one) return [{ role: 'assistant', content: [text(one.answers)] }]
    const made = one.calls.map((call) => ({ ...call, id: `call_${(calls += 1)}` }))
    const uses = made.map((call) => ({ type: 'tool_use', id: call.id, name: 'read', input: call.input }))
    const results = made.map(({ id, result }) => ({ type: 'tool_result', tool_use_id: id, content: result }))
    return [
      { role: 'assistant', content: [text(one.text), ...uses] },
      { role: 'user', content: results },
    ]
  })
  const { toolChoice, parallel, temperature, topP, stop } = how
  const type = toolChoice === 'required' ? 'any' : (toolChoice ?? 'auto')
  const choice: JsonObject = toolChoice === 'read' ? { type: 'tool', name: 'read' } : { type }
  const single = parallel === undefined || toolChoice === 'none' ? {} : { disable_parallel_tool_use: !parallel }
  return {
    model: 'claude-sonnet-4-5',
    max_tokens: 99,
    ...(system.length === 0 ? {} : { system: system.map(text) }),
    tools: [{ name: 'read', description: 'reads', input_schema: { type: 'object', properties: {} } }],
    messages: [{ role: 'user', content: 'go' }, ...messages],
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined || temperature !== undefined ? {} : { top_p: topP }),
    ...(stop === undefined ? {} : { stop_sequences: stop }),
    ...(toolChoice === undefined ? {} : { tool_choice: { ...choice, ...single } }),
  }
}

describe.each([
  ['and read again', anthropic, anthropic],
  ['for OpenAI', openai, anthropic],
  ['for OpenAI, and from there for Anthropic', anthropic, openai],
  ['for Gemini, and from there for Anthropic', anthropic, gemini],
  ['for Gemini, and from there for OpenAI', openai, gemini],
])('a conversation of Anthropic written %s', (_, to, through) => {
  it('says the same', () => {
    fc.assert(
      fc.property(told, (drawn) => {
        const plan = through === gemini ? sayableInGemini(drawn) : drawn
        const body = anthropicBody(plan)
        fc.pre(plan.sampling.temperature === undefined || plan.sampling.topP === undefined)
        fc.pre(!hasBlankText(body) && plan.sampling.stop?.some(isBlank) !== true)
        const first = written(through, anthropic, body)
        const { body: last, lost } = written(to, through, first.json, first.path)
        expect([...first.lost, ...lost]).toEqual([])
        const exchange = anthropic.decode({ body: JSON.stringify(body) })
        expect(said(to.decode({ body: last }).conversation)).toEqual(said(exchange.conversation))
      }),
    )
  })
})

describe('a body written for', () => {
  // No stop sequence of a plan, which are all ASCII, ends it early.
  const done = '✓'
  const { fetch } = simulatedProvider({ script: () => done })
  const answer = async (codec: Codec, body: string): Promise<string> => {
    const [path] = codec.signs.routes
    const headers = { 'x-api-key': 'k', 'authorization': 'Bearer k', 'anthropic-version': '2023-06-01' }
    const response = await fetch(`http://simulated${path?.path}`, { method: 'POST', headers, body })
    return codec.decodeReply(await response.text()).text
  }

  it.each([openai, anthropic])('$dialect is taken by its provider', async (codec) => {
    await fc.assert(
      fc.asyncProperty(told, async (plan) => {
        // A forced tool calls; and what the model said last would have to be gone on with.
        const { toolChoice: _, ...how } = plan.sampling
        const steps = [...plan.steps, { says: 'and?', picture: 'none' as const }]
        const model = codec.signs.provider === 'openai' ? 'gpt-4.1' : 'claude-sonnet-4-5'
        const body = { ...anthropicBody({ ...plan, steps, sampling: how }), model }
        expect(await answer(codec, written(codec, anthropic, body).body)).toBe(done)
      }),
      { numRuns: 30 },
    )
  })
})

describe('what a dialect has no word for', () => {
  const user = { role: 'user', content: 'go' }
  const kinds = ({ lost }: ReturnType<typeof written>): readonly unknown[] => lost.map(({ kind, what }) => [kind, what])

  it('Anthropic takes no text of white space alone', () => {
    const result = written(anthropic, openai, {
      model: 'claude-sonnet-4-5',
      stop: ['\n\n', 'END'],
      messages: [
        { role: 'system', content: ' \n' },
        user,
        {
          role: 'assistant',
          content: '\t',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '\n' },
      ],
    })
    expect(result.json).not.toHaveProperty('system')
    expect(result.json['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'ls', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1' }] },
    ])
    expect(result.json['stop_sequences']).toEqual(['END'])
    expect(result.lost.map(({ kind }) => kind)).toEqual(['text', 'text', 'text', 'sampling'])
  })

  it('Anthropic has one system, before everything, and no names; what comes later keeps its place', () => {
    const messages = [
      { role: 'developer', content: 'law' },
      { ...user, name: 'ann' },
      { role: 'system', content: 'later' },
    ]
    const result = written(anthropic, openai, { model: 'm', messages })
    expect(result.json['system']).toEqual([{ type: 'text', text: 'law' }])
    expect(result.json['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      { role: 'user', content: [{ type: 'text', text: '<system>\nlater\n</system>' }] },
    ])
    expect(result.lost.map(({ kind }) => kind)).toEqual(['role', 'name', 'role'])
    const newer = written(anthropic, openai, { model: 'claude-opus-5', messages })
    expect(newer.json['messages']).toMatchObject([{ role: 'user' }, { role: 'system', content: [{ text: 'later' }] }])
  })

  it('neither has the other one’s parameters', () => {
    const openaiBody = {
      model: 'm',
      messages: [user],
      seed: 7,
      temperature: 1.5,
      response_format: { type: 'json_object' },
    }
    expect(kinds(written(anthropic, openai, openaiBody))).toEqual([
      ['sampling', 'seed'],
      ['sampling', 'temperature'],
      ['sampling', 'responseFormat'],
    ])
    expect(kinds(written(openai, anthropic, { model: 'm', messages: [user], max_tokens: 9, top_k: 5 }))).toEqual([
      ['sampling', 'topK'],
    ])
  })

  it('Gemini marks calls that other models have made, where it wants them marked, and tells of failures', () => {
    const use = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'f', input: {} })
    const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: id, is_error: true })
    const messages = [
      user,
      { role: 'assistant', content: [use('a'), use('b')] },
      { role: 'user', content: [result('a'), result('b')] },
    ]
    const to = (model: string): Written => written(gemini, anthropic, { model, max_tokens: 9, messages })
    const { json, lost, path } = to('gemini-3-pro')
    expect([lost, path]).toEqual([[], '/v1beta/models/gemini-3-pro:generateContent'])
    const answer = (id: string): JsonObject => ({ functionResponse: { id, name: 'f', response: { error: id } } })
    expect(json['contents']).toEqual([
      { role: 'user', parts: [{ text: 'go' }] },
      {
        role: 'model',
        parts: [
          {
            functionCall: { id: 'a', name: 'f', args: {} },
            thoughtSignature: 'skip_thought_signature_validator',
          },
          { functionCall: { id: 'b', name: 'f', args: {} } },
        ],
      },
      { role: 'user', parts: [answer('a'), answer('b')] },
    ])
    expect(to('gemini-2.5-pro').body).not.toContain('thoughtSignature')
  })

  it('a JSON schema for the reply is known to both', () => {
    const schema = { type: 'object' }
    const format = { type: 'json_schema', json_schema: { name: 'r', schema } }
    const there = written(anthropic, openai, { model: 'm', messages: [user], response_format: format })
    expect(there.json['output_config']).toEqual({ format: { type: 'json_schema', schema } })
    const back = written(openai, anthropic, { ...there.json })
    expect(back.json['response_format']).toEqual({ type: 'json_schema', json_schema: { name: 'reply', schema } })
  })

  it('reasoning and unknown blocks stay with who wrote them', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'c2ln' }
    const odd = { type: 'x_new', n: 1.5 }
    const content = [thinking, { type: 'text', text: 'Yes.' }, odd]
    const body = { model: 'm', max_tokens: 9, messages: [user, { role: 'assistant', content }] }
    expect(written(openai, anthropic, body).lost.map(({ kind }) => kind)).toEqual(['reasoning', 'opaque'])
    expect(written(anthropic, anthropic, body).lost).toEqual([])
    const [, assistant] = JSON.parse(written(anthropic, anthropic, body).body).messages
    expect(assistant.content).toEqual(content)
  })

  it('a failed result is only told to Anthropic, and a picture in it is shown by the user behind it', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }
    const result = {
      type: 'tool_result',
      tool_use_id: 'a',
      is_error: true,
      content: [{ type: 'text', text: 'x' }, image],
    }
    const use = { type: 'tool_use', id: 'a', name: 'f', input: {} }
    const messages = [user, { role: 'assistant', content: [use] }, { role: 'user', content: [result] }]
    const { json, lost } = written(openai, anthropic, { model: 'm', max_tokens: 9, messages })
    expect(lost.map(({ kind }) => kind)).toEqual(['status', 'status', 'placement'])
    expect(json['messages']).toMatchObject([
      {},
      {},
      { role: 'tool', tool_call_id: 'a', content: 'x' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } }] },
    ])
  })

  it('audio is not heard by Anthropic, and data have to be at hand', () => {
    const parts = [
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}`, detail: 'high' } },
    ]
    const exchange = openai.decode({
      body: JSON.stringify({ model: 'm', messages: [user, { role: 'user', content: parts }] }),
    })
    expect(anthropic.write(exchange.conversation).lost.map(({ why }) => why)).toEqual([
      'there is no block for audio',
      'its data are not at hand',
    ])
  })

  it('a call without result and one with free words', () => {
    const call = (id: string, name: string, text: string): JsonObject => ({
      id,
      type: 'custom',
      custom: { name, input: text },
    })
    const messages = [
      user,
      { role: 'assistant', content: null, tool_calls: [call('a.1', 'f', 'free words'), call('b', 'f', 'x')] },
      { role: 'tool', tool_call_id: 'a.1', content: 'ok' },
    ]
    const { json, lost } = written(anthropic, openai, { model: 'm', messages })
    expect(lost.map(({ kind, what }) => [kind, what])).toEqual([
      ['call', 'call:b'],
      ['call', 'call:a.1'],
    ])
    const { items } = anthropic.decode({ body: JSON.stringify(json) }).conversation
    const [use, result] = items.filter((item) => item.toolCallId !== undefined)
    expect(use).toMatchObject({ toolName: 'f', text: '{"input":"free words"}' })
    expect(use?.toolCallId).toMatch(/^[\w-]+$/)
    expect(result).toMatchObject({ text: 'ok', toolCallId: use?.toolCallId })
  })

  it.each([
    ['a greeting', [{ role: 'assistant', content: 'Hello.' }, user]],
    ['a system prompt alone', [{ role: 'system', content: 'law' }]],
  ])('before %s stands a word of the user, where the provider wants one', (_, messages) => {
    const { json, lost } = written(anthropic, openai, { model: 'claude-sonnet-4-5', messages })
    expect(json['messages']).toHaveProperty('[0]', { role: 'user', content: [{ type: 'text', text: 'Begin.' }] })
    expect(lost).toContainEqual(expect.objectContaining({ kind: 'placement' }))
    const { contents } = written(gemini, openai, { model: 'gemini-2.5-pro', messages }).json
    expect(contents).toHaveProperty('[0]', { role: 'user', parts: [{ text: 'Begin.' }] })
  })

  it('a model that does not go on from its own words is asked to', () => {
    const messages = [user, { role: 'assistant', content: 'Answer: ' }]
    const to = (model: string): unknown => written(anthropic, openai, { model, messages }).json['messages']
    expect(to('claude-sonnet-4-5')).toMatchObject([{}, { role: 'assistant', content: [{ text: 'Answer:' }] }])
    expect(to('claude-opus-4-6')).toMatchObject([{}, { role: 'assistant' }, { role: 'user' }])
  })
})

describe.each(codecs)('a pack written as a whole $dialect body', (codec) => {
  const calls = [
    { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
    { id: 'b', type: 'function', function: { name: 'f', arguments: '{"n":1}' } },
  ]
  const tool = (name: string): JsonObject => ({
    type: 'function',
    function: { name, description: 'long words', parameters: {} },
  })
  const body = {
    model: 'm',
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: 'two' },
    ],
    tools: [tool('f'), tool('g')],
  }
  const { conversation } = openai.decode({ body: JSON.stringify(body) })
  const entries = conversation.items.flatMap(({ id, section, text }) => {
    if (id === 'tool:g') return []
    const shown = id === 'result:a' ? 'short' : text.replace('long words', 'brief')
    return [{ itemId: id, section, rung: 'full' as const, text: shown, tokens: 1 }]
  })
  const pack: Pack = { layout: 'messages', entries, messages: [], breakpoints: [], tokens: 1, hash: '' }

  it('shows what the pack shows, and leaves out what it left out', () => {
    const hiddenTools = [{ name: 'h', description: 'ours', schema: {} }]
    const again = codec.decode(codec.write(conversation, { pack, hiddenTools })).conversation
    expect(again.tools).toEqual([
      { name: 'f', description: 'brief', schema: { type: 'object', properties: {} } },
      ...hiddenTools,
    ])
    expect(again.items.filter((item) => item.role === 'tool').map((item) => item.text)).toEqual(['short', 'two'])
  })

  it('says what is new after the results that are waited for', () => {
    const fact = { itemId: 'kb', section: 'evidence', rung: 'full' as const, text: 'Rain', tokens: 1 }
    const at = entries.findIndex(({ itemId }) => itemId === 'result:b')
    const more = { ...pack, entries: entries.toSpliced(at, 0, fact) }
    const again = codec.decode(codec.write(conversation, { pack: more })).conversation
    expect(again.items.at(-1)).toMatchObject({ text: 'Rain', role: 'user' })
    expect(isJsonObject(JSON.parse(codec.write(conversation).body))).toBe(true)
  })

  it('that was laid out is its messages, with its tools', () => {
    const messages = [
      { role: 'system', text: 'law' },
      { role: 'user', text: 'all of it' },
    ] as const
    const result = codec.write(conversation, { pack: { ...pack, layout: 'payload', messages } })
    const again = codec.decode(result).conversation
    expect(again.items.map(({ text, kind }) => [kind, kind === 'tool-schema' ? '' : text])).toEqual([
      ['tool-schema', ''],
      ['instruction', 'law'],
      ['text', 'all of it'],
    ])
  })
})
