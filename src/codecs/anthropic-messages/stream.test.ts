import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import type { PlainReply } from '../../testing/index.ts'
import { spliceTurn, writeReply } from '../../testing/index.ts'
import type { HiddenTurn, ModelReply } from '../../core/index.ts'
import type { SseEvent, StreamEnd } from '../index.ts'
import { encodeSse } from '../index.ts'
import { anthropicMessages as codec } from './index.ts'

const ours = 'rehydrate'
const hiddenTools: ReadonlySet<string> = new Set([ours])
const hiddenPart = (turn: HiddenTurn) => ({ kind: 'hidden-turn', turn }) as const
const halves = (words: string): readonly string[] => [words.slice(0, words.length / 2), words.slice(words.length / 2)]
const plain: PlainReply = {
  id: 'msg_1',
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
    id: 'msg_2',
    texts: ['Now I read.'],
    calls: [
      { id: 'h2', name: ours, arguments: '{}' },
      { id: 'c1', name: 'read', arguments: '{"path":"a.ts"}' },
      { id: 'c2', name: 'grep', arguments: '{"q":"b"}' },
    ],
    stop: 'calls',
  },
]
const streams = rounds.map((reply) => writeReply('anthropic-messages', reply, halves).events)

/** What the official client makes of a stream. */
async function read(events: readonly SseEvent[]): Promise<Anthropic.Message> {
  const bytes = events.map(encodeSse).join('')
  const headers = { 'content-type': 'text/event-stream' }
  const client = new Anthropic({ apiKey: 'none', maxRetries: 0, fetch: async () => new Response(bytes, { headers }) })
  const request = { model: 'claude', max_tokens: 10, messages: [{ role: 'user' as const, content: 'hi' }] }
  return await client.messages.stream(request).finalMessage()
}

function fold(events: readonly SseEvent[]): ModelReply {
  const reducer = codec.reducer()
  return reducer.reply(events.reduce((state, event) => reducer.step(state, event), reducer.initial))
}

function data(value: object): SseEvent {
  return { data: JSON.stringify(value) }
}

const start = data({
  type: 'message_start',
  message: { id: 'msg_1', model: 'claude', usage: { input_tokens: 1, output_tokens: 1 } },
})

describe('folding an Anthropic stream', () => {
  it('thinking with signature comes back byte for byte, beside blocks that nobody knows', () => {
    const events = [
      start,
      data({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
      data({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm\n' } }),
      data({ type: 'ping' }),
      data({ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln+/==' } }),
      { data: '{"type":"content_block_start","index":1,"content_block":{"type":"x_new","n":1.0,"s":"\\u0041"}}' },
      data({ type: 'x_unknown', index: 7 }),
      { data: 'no json' },
      { data: '', comment: ' keep alive' },
      data({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { output_tokens: 9, input_tokens: null },
      }),
      data({ type: 'message_stop' }),
    ]
    const reply = fold(events)
    expect(reply.message).toBe(
      '{"role":"assistant","content":[{"type":"thinking","thinking":"hm\\n","signature":"c2ln+/=="},{"type":"x_new","n":1.0,"s":"\\u0041"}]}',
    )
    expect(reply.usage).toEqual({ inputTokens: 1, outputTokens: 9 })
    expect(reply.failure).toBeUndefined()
  })

  it('keeps citations and parallel calls, whose pieces may come interleaved', () => {
    const reply = fold([
      start,
      data({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: [] } }),
      data({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'cited' } }),
      {
        data: '{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"type":"page_location","n":1.0}}}',
      },
      data({
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'a', name: 'f', input: {} },
      }),
      data({
        type: 'content_block_start',
        index: 2,
        content_block: { type: 'tool_use', id: 'b', name: 'g', input: {} },
      }),
      data({ type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"n": 1.0}' } }),
      data({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '' } }),
      data({ type: 'message_delta', delta: { stop_reason: 'tool_use' } }),
    ])
    expect(reply.message).toBe(
      '{"role":"assistant","content":[{"type":"text","text":"cited","citations":[{"type":"page_location","n":1.0}]},' +
        '{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"g","input":{"n": 1.0}}]}',
    )
    expect(reply.toolCalls).toEqual([
      { id: 'a', name: 'f', arguments: '{}' },
      { id: 'b', name: 'g', arguments: '{"n": 1.0}' },
    ])
  })

  it('abort: a stream that was cut off says so, and a call without an end makes no message', () => {
    const cut = streams[0]?.slice(0, -3) ?? []
    const reply = fold(cut)
    expect(reply.failure?.type).toBe('truncated')
    expect(reply.text).toBe('I look. ')
    expect(fold(cut.slice(0, -1)).message).toBeUndefined()
  })

  it('an error in the middle of a stream is a failure, and the words before it stay', () => {
    const error = data({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
    const reply = fold([...(streams[0]?.slice(0, 9) ?? []), error])
    expect(reply.failure).toEqual({ type: 'overloaded_error', message: 'Overloaded' })
    expect(reply.text).toBe('I look. ')
  })

  it('empty: a stream without blocks is an empty message, no stream at all is a truncated one', () => {
    const end = [data({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }), data({ type: 'message_stop' })]
    expect(fold([start, ...end])).toMatchObject({
      text: '',
      toolCalls: [],
      message: '{"role":"assistant","content":[]}',
    })
    expect(fold([]).failure?.type).toBe('truncated')
  })

  it('overflow is a stop reason, not a failure', () => {
    const delta = data({ type: 'message_delta', delta: { stop_reason: 'model_context_window_exceeded' } })
    const reply = fold([start, delta, data({ type: 'message_stop' })])
    expect(reply).toMatchObject({ stopReason: 'model_context_window_exceeded' })
    expect(reply.failure).toBeUndefined()
  })

  it('is whole with its last event, and not before', () => {
    const delta = data({ type: 'message_delta', delta: { stop_reason: 'end_turn' } })
    expect(fold([start, delta]).failure?.type).toBe('truncated')
    expect(fold([start, delta, data({ type: 'message_stop' })]).failure).toBeUndefined()
  })
})

describe('splicing Anthropic streams', () => {
  it('gives the official client one message without our calls', async () => {
    const turn = spliceTurn(codec, streams)
    const message = await read(turn.client)
    expect(message.id).toBe('msg_1')
    expect(message.stop_reason).toBe('tool_use')
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'hm', signature: 'c2ln+/==' },
      { type: 'text', text: 'I look. ' },
      { type: 'text', text: 'Now I read.' },
      { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a.ts' } },
      { type: 'tool_use', id: 'c2', name: 'grep', input: { q: 'b' } },
    ])
    expect(message.usage).toMatchObject({ input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 3 })
    expect(turn.client.filter((event) => event.event === 'message_stop')).toHaveLength(1)
    expect(turn.last.results.map((result) => result.callId)).toEqual(['h2'])
  })

  it('sends every visible event with the step that brought it, and holds back the end alone', () => {
    const splicer = codec.splicer()
    let state = splicer.begin(hiddenTools)
    const steps = (streams[0] ?? []).map((event) => {
      const step = splicer.step(state, event)
      state = step.state
      return [JSON.parse(event.data).type, step.forward.length, step.forward[0] === event]
    })
    expect(steps.filter(([, count]) => count === 1).every(([, , same]) => same === true)).toBe(true)
    expect(steps.filter(([, count]) => count === 0).map(([type]) => type)).toEqual([
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(state.held).toBe(true)
  })

  it('ends in order when no further upstream stream is to come', async () => {
    const splicer = codec.splicer()
    let state = splicer.begin(hiddenTools)
    const client: SseEvent[] = []
    for (const event of streams[0] ?? []) {
      const step = splicer.step(state, event)
      state = step.state
      client.push(...step.forward)
    }
    const message = await read([...client, ...splicer.finish(splicer.resume(state))])
    expect(message.stop_reason).toBe('end_turn')
    expect(message.content).toHaveLength(2)
    expect(message.usage.output_tokens).toBe(3)
  })

  it('passes an error of the second stream on', () => {
    const splicer = codec.splicer()
    let state = splicer.begin(hiddenTools)
    for (const event of streams[0] ?? []) state = splicer.step(state, event).state
    const error = data({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
    const step = splicer.step(splicer.resume(state), error)
    expect(step.forward).toEqual([error])
    expect(step.end).toMatchObject({
      mustContinue: false,
      hiddenCalls: [],
      reply: { failure: { type: 'overloaded_error' } },
    })
  })

  it('answers no call that was cut off by the output limit or by the connection', () => {
    const limited = { ...rounds[0]!, stop: 'length' as const }
    const events = writeReply('anthropic-messages', limited, halves).events
    const ends = (stream: readonly SseEvent[]): readonly StreamEnd[] => {
      const splicer = codec.splicer()
      let state = splicer.begin(hiddenTools)
      const found = stream.flatMap((event) => {
        const step = splicer.step(state, event)
        state = step.state
        return step.end ?? []
      })
      return [...found, ...[splicer.close(state).end ?? []].flat()]
    }
    expect(ends(events)).toMatchObject([{ mustContinue: false, hiddenCalls: [] }])
    expect(ends(events.slice(0, -2))).toMatchObject([
      { mustContinue: false, hiddenCalls: [], reply: { failure: { type: 'truncated' } } },
    ])
  })
})

describe('merging Anthropic replies', () => {
  it('gives one body with the id of the first, the usage of the last and the bytes of every visible block', () => {
    const bodies = rounds.map((reply) => writeReply('anthropic-messages', reply, halves).body)
    const merged = JSON.parse(codec.mergeReplies(bodies, hiddenTools))
    expect(merged).toMatchObject({
      id: 'msg_1',
      stop_reason: 'tool_use',
      usage: { input_tokens: 10, output_tokens: 3 },
    })
    expect(merged.content.map((block: { type: string }) => block.type)).toEqual([
      'thinking',
      'text',
      'text',
      'tool_use',
      'tool_use',
    ])
  })

  it('ends a turn whose only calls were ours', () => {
    const [body] = rounds.map((reply) => writeReply('anthropic-messages', reply, halves).body)
    expect(JSON.parse(codec.mergeReplies([body ?? ''], hiddenTools)).stop_reason).toBe('end_turn')
  })

  it('refuses a reply that is none', () => {
    expect(() => codec.mergeReplies(['{}'], hiddenTools)).toThrow(expect.objectContaining({ code: 'upstream-broken' }))
    expect(() => codec.decodeReply('<html>')).toThrow(expect.objectContaining({ code: 'upstream-broken' }))
  })
})

describe('hidden exchanges of Anthropic', () => {
  it('leave out empty text, which the provider rejects, and mark errors', () => {
    const message =
      '{"role":"assistant","content":[{"type":"text","text":""},{"type":"tool_use","id":"h1","name":"rehydrate","input":{}}]}'
    const reply: ModelReply = { text: '', toolCalls: [], message }
    expect(codec.hiddenMessages({ reply, results: [{ callId: 'h1', text: 'gone', isError: true }] })).toEqual([
      '{"role":"assistant","content":[{"type":"tool_use","id":"h1","name":"rehydrate","input":{}}]}',
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"h1","content":"gone","is_error":true}]}',
    ])
  })

  const turn = spliceTurn(codec, streams)
  const asked = '{"model":"m","messages":[{"role":"user","content":"go"}]}'
  const record = codec.hiddenTurn({ body: asked, rounds: turn.hidden, last: turn.last, hiddenTools })!
  const seen = fold(turn.client).message ?? ''
  const answers =
    '{"type":"tool_result","tool_use_id":"c1","content":"1"},{"type":"tool_result","tool_use_id":"c2","content":"2"}'
  const next = (message: string, answer: string): string =>
    `{"model":"m","messages":[{"role":"user","content":"go"},${message},{"role":"user","content":${answer}}]}`

  it('split the message of a turn and stand in both messages of its mixed end', () => {
    const restored = JSON.parse(codec.restore(next(seen, `[${answers}]`), [hiddenPart(record)]).body)
    const types = restored.messages.map((message: { content: unknown }) =>
      Array.isArray(message.content)
        ? message.content.map((block) => block.id ?? block.tool_use_id ?? block.type)
        : message.content,
    )
    expect(types).toEqual(['go', ['thinking', 'text', 'h1'], ['h1'], ['text', 'h2', 'c1', 'c2'], ['h2', 'c1', 'c2']])
    expect(() => codec.decode(codec.restore(next(seen, `[${answers}]`), [hiddenPart(record)]))).not.toThrow()
  })

  it('stand where the calls stand, whatever has become of the words', () => {
    const edited = next(seen.replace('I look. ', 'I looked.'), `[${answers}]`)
    const { body, placed } = codec.restore(edited, [hiddenPart(record)])
    expect(placed).toEqual([hiddenPart(record)])
    expect(JSON.parse(body).messages).toHaveLength(5)
  })

  it('stay out when the client sends something else back, and are lost where their message is there', () => {
    const parts = [hiddenPart(record)]
    const merged = next('{"role":"assistant","content":[{"type":"text","text":"I look. Now I read."}]}', '"more"')
    expect(codec.restore(merged, parts, { belongs: () => false })).toEqual({ body: merged, placed: [], lost: [] })
    expect(codec.restore(merged, parts)).toEqual({ body: merged, placed: [], lost: parts })
    const unanswered = next(seen, '"more"').replace(',{"role":"user","content":"more"}', '')
    expect(codec.restore(unanswered, parts)).toEqual({ body: unanswered, placed: [], lost: parts })
    const gone = '{"model":"m","messages":[{"role":"user","content":"go"}]}'
    expect(codec.restore(gone, parts)).toEqual({ body: gone, placed: [], lost: [] })
  })

  it('go to the message nearest to where they were when several say the same', () => {
    const done: PlainReply = { ...plain, texts: ['Done.'] }
    const first: PlainReply = { ...rounds[0]!, reasoning: '', texts: [] }
    const quiet = spliceTurn(
      codec,
      [first, done].map((reply) => writeReply('anthropic-messages', reply, halves).events),
    )
    const said = '{"role":"assistant","content":[{"type":"text","text":"Done."}]}'
    const before = `{"model":"m","messages":[{"role":"user","content":"go"},${said},{"role":"user","content":"again"}]}`
    const hidden = codec.hiddenTurn({ body: before, rounds: quiet.hidden, last: quiet.last, hiddenTools })!
    const after = before.replace(/\]\}$/, `,${said},{"role":"user","content":"more"}]}`)
    const texts = JSON.parse(codec.restore(after, [hiddenPart(hidden)]).body).messages.map(
      (message: { content: unknown }) =>
        JSON.stringify(message.content).replace(/.*"(h1|Done\.|go|again|more)".*/, '$1'),
    )
    expect(texts).toEqual(['go', 'Done.', 'again', 'h1', 'h1', 'Done.', 'more'])
    const flattened = after.replaceAll('[{"type":"text","text":"Done."}]', '"Done."')
    expect(JSON.parse(codec.restore(flattened, [hiddenPart(hidden)]).body).messages).toHaveLength(7)
  })
})
