import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { PlainReply } from '../../testing/index.ts'
import { spliceTurn, writeReply } from '../../testing/index.ts'
import type { HiddenTurn, ModelReply } from '../../core/index.ts'
import type { SpliceState, SseEvent } from '../index.ts'
import { encodeSse } from '../index.ts'
import { openaiChat as codec } from './index.ts'

const ours = 'rehydrate'
const hiddenTools: ReadonlySet<string> = new Set([ours])
const hiddenPart = (turn: HiddenTurn) => ({ kind: 'hidden-turn', turn }) as const
const halves = (words: string): readonly string[] => [words.slice(0, words.length / 2), words.slice(words.length / 2)]
const plain: PlainReply = {
  id: 'chatcmpl-1',
  reasoning: '',
  texts: [],
  calls: [],
  stop: 'end',
  input: 10,
  cached: 5,
  output: 3,
}
const rounds: readonly PlainReply[] = [
  {
    ...plain,
    reasoning: 'hm',
    texts: ['I look. '],
    calls: [{ id: 'h1', name: ours, arguments: '{"handle":"x"}' }],
    stop: 'calls',
  },
  {
    ...plain,
    id: 'chatcmpl-2',
    texts: ['Now I read.'],
    calls: [
      { id: 'h2', name: ours, arguments: '{}' },
      { id: 'c1', name: 'read', arguments: '{"path":"a.ts"}' },
      { id: 'c2', name: 'grep', arguments: '{"q":"b"}' },
    ],
    stop: 'calls',
  },
]
const streams = rounds.map((reply) => writeReply('openai-chat', reply, halves).events)

/** What the official client makes of a stream. */
async function read(events: readonly SseEvent[]): Promise<OpenAI.ChatCompletion> {
  const bytes = events.map(encodeSse).join('')
  const headers = { 'content-type': 'text/event-stream' }
  const client = new OpenAI({ apiKey: 'none', maxRetries: 0, fetch: async () => new Response(bytes, { headers }) })
  const request = { model: 'gpt', messages: [{ role: 'user' as const, content: 'hi' }] }
  return await client.chat.completions.stream(request).finalChatCompletion()
}

function fold(events: readonly SseEvent[]): ModelReply {
  const reducer = codec.reducer()
  return reducer.reply(events.reduce((state, event) => reducer.step(state, event), reducer.initial))
}

function chunk(delta: object, more: object = {}, choice: object = {}): SseEvent {
  const choices = [{ index: 0, delta, finish_reason: null, ...choice }]
  return {
    data: JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'gpt',
      choices,
      ...more,
    }),
  }
}

const finish = (reason: string, more: object = {}): SseEvent => chunk({}, more, { finish_reason: reason })
const done: SseEvent = { data: '[DONE]' }

function play(
  events: readonly SseEvent[],
  from?: SpliceState,
): { forward: SseEvent[]; state: SpliceState; ends: unknown[] } {
  const splicer = codec.splicer()
  let state = from ?? splicer.begin(hiddenTools)
  const forward: SseEvent[] = []
  const ends: unknown[] = []
  for (const event of events) {
    const step = splicer.step(state, event)
    state = step.state
    forward.push(...step.forward)
    if (step.end !== undefined) ends.push(step.end)
  }
  return { forward, state, ends }
}

describe('folding an OpenAI stream', () => {
  it('builds the message with reasoning, parallel calls and members that nobody knows', () => {
    const reply = fold([
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'h', index: 0 }] }),
      chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'm', index: 0, signature: 's' }] }),
      chunk({ content: 'I ' }),
      chunk({ content: 'read' }),
      chunk({
        tool_calls: [
          { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' }, extra_content: { sig: 'x' } },
        ],
      }),
      chunk({ tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"n":' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: ' 1.0}' } }] }),
      finish('tool_calls', { usage: { prompt_tokens: 3, completion_tokens: 4 } }),
      done,
    ])
    expect(JSON.parse(reply.message ?? '')).toEqual({
      role: 'assistant',
      content: 'I read',
      reasoning_details: [{ type: 'reasoning.text', text: 'hm', index: 0, signature: 's' }],
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{"n": 1.0}' }, extra_content: { sig: 'x' } },
        { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
      ],
    })
    expect(reply.toolCalls).toEqual([
      { id: 'a', name: 'f', arguments: '{"n": 1.0}' },
      { id: 'b', name: 'g', arguments: '{}' },
    ])
    expect(reply.usage).toEqual({ inputTokens: 3, outputTokens: 4 })
  })

  it('abort: a stream that was cut off says so', () => {
    expect(fold(streams[0]?.slice(0, 4) ?? []).failure?.type).toBe('truncated')
    expect(fold([]).failure?.type).toBe('truncated')
  })

  it('an error in the middle of a stream is a failure, and the words before it stay', () => {
    const reply = fold([
      chunk({ content: 'words' }),
      { data: '{"error":{"message":"down","type":"server_error","param":null,"code":null}}' },
    ])
    expect(reply).toMatchObject({ text: 'words', failure: { type: 'server_error', message: 'down' } })
  })

  it('is whole without [DONE], which some servers never send', () => {
    expect(fold([chunk({ content: 'hi' }), finish('stop')])).toMatchObject({ text: 'hi', stopReason: 'stop' })
    expect(fold([chunk({ content: 'hi' }), finish('stop')]).failure).toBeUndefined()
  })

  it('reads the first of several choices, and passes over what it does not know', () => {
    const other = chunk({ content: 'other' }, {}, { index: 1 })
    const filters = { data: JSON.stringify({ id: 'x', choices: [], prompt_filter_results: [] }) }
    expect(fold([filters, chunk({ content: 'mine' }), other, { data: 'no json' }, finish('stop'), done]).text).toBe(
      'mine',
    )
  })
})

describe('splicing OpenAI streams', () => {
  it('gives the official client one completion without our calls', async () => {
    const turn = spliceTurn(codec, streams)
    const completion = await read(turn.client)
    const [choice] = completion.choices
    expect(completion.id).toBe('chatcmpl-1')
    expect(choice?.finish_reason).toBe('tool_calls')
    expect(choice?.message.content).toBe('I look. Now I read.')
    expect(choice?.message.tool_calls).toMatchObject([
      { id: 'c1', function: { name: 'read', arguments: '{"path":"a.ts"}' } },
      { id: 'c2', function: { name: 'grep', arguments: '{"q":"b"}' } },
    ])
    expect(completion.usage).toMatchObject({
      prompt_tokens: 15,
      completion_tokens: 3,
      prompt_tokens_details: { cached_tokens: 5 },
    })
    expect(turn.client.filter((event) => event.data === '[DONE]')).toHaveLength(1)
    expect(turn.client.filter((event) => event.data.includes('"role"'))).toHaveLength(1)
  })

  it('sends events without our calls on as they are', () => {
    const events = writeReply('openai-chat', { ...rounds[1]!, calls: rounds[1]!.calls.slice(1) }, halves).events
    const played = play(events)
    expect(played.forward.every((event, index) => event === events[index])).toBe(true)
    expect(played.forward).toHaveLength(events.length)
  })

  it('keeps the role and the words of a chunk that also carries our call or the end', () => {
    const call = { index: 0, id: 'h1', type: 'function', function: { name: ours, arguments: '{}' } }
    const all = chunk(
      { role: 'assistant', content: 'I look.', tool_calls: [call] },
      { usage: { prompt_tokens: 1, completion_tokens: 1 } },
      { finish_reason: 'tool_calls' },
    )
    const { forward, state, ends } = play([all, done])
    expect(forward.map((event) => JSON.parse(event.data).choices[0])).toEqual([
      { index: 0, delta: { role: 'assistant', content: 'I look.' }, finish_reason: null },
    ])
    expect(ends).toMatchObject([{ mustContinue: true, hiddenCalls: [{ id: 'h1' }] }])
    const ended = codec.splicer().finish(state)
    expect(ended.map((event) => (event === ended.at(-1) ? event.data : JSON.parse(event.data)))).toMatchObject([
      { choices: [{ delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 1 } },
      '[DONE]',
    ])
  })

  it('waits for the name of a call, and loses none of its pieces', () => {
    const call = (more: object, name?: string): SseEvent =>
      chunk({
        tool_calls: [{ index: 0, ...more, function: { arguments: 'x', ...(name === undefined ? {} : { name }) } }],
      })
    const visible = play([call({ id: 'c1' }), call({}, 'read'), call({}), finish('tool_calls'), done]).forward
    expect(fold(visible).toolCalls).toEqual([{ id: 'c1', name: 'read', arguments: 'xxx' }])
    const hidden = play([call({ id: 'h1' }), call({}, ours), call({}), finish('tool_calls'), done])
    expect(hidden.forward).toEqual([])
    expect(hidden.ends).toMatchObject([{ hiddenCalls: [{ id: 'h1', arguments: 'xxx' }] }])
  })

  it('ends a stream that came without [DONE]', () => {
    const played = play((streams[0] ?? []).slice(0, -1))
    expect(played.ends).toEqual([])
    expect(codec.splicer().close(played.state).end).toMatchObject({ mustContinue: true })
    const cut = play((streams[0] ?? []).slice(0, 3))
    expect(codec.splicer().close(cut.state).end).toMatchObject({
      mustContinue: false,
      reply: { failure: { type: 'truncated' } },
    })
  })

  it('says the role once, and ids of the first stream always', () => {
    const second = chunk({ role: 'assistant', content: 'Now' }, { id: 'chatcmpl-2', created: 2 })
    const { forward } = play([second], codec.splicer().resume(play(streams[0] ?? []).state))
    expect(forward.map((event) => JSON.parse(event.data))).toMatchObject([
      { id: 'chatcmpl-1', created: 1, choices: [{ delta: { content: 'Now' } }] },
    ])
    expect(forward[0]?.data).not.toContain('role')
  })

  it('passes an error of the second stream on', () => {
    const error = { data: '{"error":{"message":"down","type":"server_error"}}' }
    const played = play([error], codec.splicer().resume(play(streams[0] ?? []).state))
    expect(played.forward).toEqual([error])
    expect(played.ends).toMatchObject([{ mustContinue: false, reply: { failure: { message: 'down' } } }])
  })

  it('answers no call that was cut off by the output limit', () => {
    const events = writeReply('openai-chat', { ...rounds[0]!, stop: 'length' }, halves).events
    expect(play(events).ends).toMatchObject([{ mustContinue: false, hiddenCalls: [] }])
  })

  it('passes other choices and comments on', () => {
    const other = chunk({ content: 'other' }, {}, { index: 1 })
    const comment = { data: '', comment: ' waiting' }
    expect(play([comment, other]).forward).toEqual([comment, other])
  })
})

describe('merging OpenAI replies', () => {
  const bodies = rounds.map((reply) => writeReply('openai-chat', reply, halves).body)

  it('gives one body with the id of the first, the words of both and the usage of the last', () => {
    const merged = JSON.parse(codec.mergeReplies(bodies, hiddenTools))
    expect(merged).toMatchObject({ id: 'chatcmpl-1', usage: { prompt_tokens: 15, completion_tokens: 3 } })
    expect(merged.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: 'I look. Now I read.', reasoning_content: 'hm', tool_calls: [{ id: 'c1' }, { id: 'c2' }] },
    })
  })

  it('ends a turn whose only calls were ours', () => {
    const [choice] = JSON.parse(codec.mergeReplies(bodies.slice(0, 1), hiddenTools)).choices
    expect(choice).toEqual({
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'I look. ', reasoning_content: 'hm' },
    })
  })

  it('refuses a reply that is none', () => {
    expect(() => codec.mergeReplies(['{}'], hiddenTools)).toThrow(expect.objectContaining({ code: 'upstream-broken' }))
    expect(() => codec.decodeReply('<html>')).toThrow(expect.objectContaining({ code: 'upstream-broken' }))
  })
})

describe('hidden exchanges of OpenAI', () => {
  it('do not say signed reasoning twice', () => {
    const detail = (text: string): string => `{"type":"reasoning.text","text":"${text}","signature":"s"}`
    const said = (details: string, more: string): string =>
      `{"role":"assistant","content":null,"reasoning_details":[${details}]${more}}`
    const body = (message: string): string => `{"choices":[{"index":0,"message":${message},"finish_reason":"stop"}]}`
    const call = `,"tool_calls":[{"id":"h1","type":"function","function":{"name":"${ours}","arguments":"{}"}}]`
    const bodies = [body(said(detail('one'), call)), body(said(detail('two'), '').replace('null', '"Done."'))]
    const merged = codec.decodeReply(codec.mergeReplies(bodies, hiddenTools)).message ?? ''
    expect(JSON.parse(merged).reasoning_details).toHaveLength(2)
    const [round, last] = bodies.map((text) => codec.decodeReply(text))
    const asked = '{"model":"m","messages":[{"role":"user","content":"go"}]}'
    const answered = [{ reply: round!, results: [{ callId: 'h1', text: 'r' }] }]
    const record = codec.hiddenTurn({
      body: asked,
      rounds: answered,
      last: { reply: last!, results: [] },
      hiddenTools,
    })!
    const next = asked.replace(']', `,${merged}]`)
    const messages = JSON.parse(
      codec.restore(next, [hiddenPart(record)], { received: codec.decode({ body: next }) }).body,
    ).messages
    expect(
      messages
        .flatMap((message: { reasoning_details?: { text: string }[] }) => message.reasoning_details ?? [])
        .map((one: { text: string }) => one.text),
    ).toEqual(['one', 'two'])
  })

  it('split the message of a turn, reasoning included, and stand before the results of its mixed end', () => {
    const turn = spliceTurn(codec, streams)
    const asked = '{"model":"m","messages":[{"role":"user","content":"go"}]}'
    const record = codec.hiddenTurn({ body: asked, rounds: turn.hidden, last: turn.last, hiddenTools })!
    const answers = ['c1', 'c2'].map((id) => `{"role":"tool","tool_call_id":"${id}","content":"r"}`)
    const next = `{"model":"m","messages":[{"role":"user","content":"go"},${[fold(turn.client).message, ...answers].join(',')}]}`
    const restored = JSON.parse(codec.restore(next, [hiddenPart(record)]).body).messages
    expect(restored).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'I look. ', reasoning_content: 'hm', tool_calls: [{ id: 'h1' }] },
      { role: 'tool', tool_call_id: 'h1' },
      {
        role: 'assistant',
        content: 'Now I read.',
        reasoning_content: '',
        tool_calls: [{ id: 'h2' }, { id: 'c1' }, { id: 'c2' }],
      },
      { role: 'tool', tool_call_id: 'h2' },
      { role: 'tool', tool_call_id: 'c1' },
      { role: 'tool', tool_call_id: 'c2' },
    ])
    const other = next.replaceAll('"c1"', '"x1"').replace('I look.', 'I looked.')
    expect(codec.restore(other, [hiddenPart(record)])).toMatchObject({ body: other, placed: [] })
  })
})
