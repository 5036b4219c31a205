import { describe, expect, it } from 'vitest'
import { PrehendError, invalidInput } from '../../core/index.ts'
import type { JsonObject, ModelReply, SaidReply } from '../../core/index.ts'
import type { SseEvent, StreamEnd } from '../index.ts'
import { saidReply, withTexts, writtenAnswer } from '../index.ts'
import { gemini } from './index.ts'

const ours = new Set(['rehydrate'])

interface Finish {
  readonly reason?: string
  readonly usage?: JsonObject
  readonly id?: string
}

/** A chunk as the provider writes it. */
function chunk(
  parts: readonly JsonObject[],
  { reason, usage = { promptTokenCount: 7 }, id = 'r1' }: Finish = {},
): SseEvent {
  const candidate = {
    content: { parts, role: 'model' },
    ...(reason !== undefined && { finishReason: reason }),
    index: 0,
  }
  const frame = { usageMetadata: usage, modelVersion: 'gemini-3-pro', responseId: id }
  return { data: JSON.stringify({ candidates: [candidate], ...frame }) }
}

const text = (words: string): JsonObject => ({ text: words })
const thought = (words: string): JsonObject => ({ text: words, thought: true })
const call = (name: string, args: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  functionCall: { name, args },
  ...more,
})
const finalUsage = {
  promptTokenCount: 100,
  cachedContentTokenCount: 60,
  candidatesTokenCount: 5,
  thoughtsTokenCount: 20,
  toolUsePromptTokenCount: 3,
  totalTokenCount: 128,
}
const stop = (parts: readonly JsonObject[] = [text('')], usage: JsonObject = finalUsage, id = 'r1'): SseEvent =>
  chunk(parts, { reason: 'STOP', usage, id })

function folded(events: readonly SseEvent[]): ModelReply {
  const reducer = gemini.reducer()
  return reducer.reply(events.reduce((state, event) => reducer.step(state, event), reducer.initial))
}

function messageOf({ message = 'null' }: ModelReply): unknown {
  return JSON.parse(message)
}

describe('a stream of Gemini', () => {
  it('joins words, keeps signed parts where they stood, and counts thoughts and what was cached', () => {
    const reply = folded([
      chunk([thought('Let ')]),
      chunk([thought('me see.')]),
      chunk([text('I ')]),
      chunk([text('look.'), call('read', { path: 'a' }, { thoughtSignature: 'c2ln' })]),
      chunk([call('read', { path: 'b' })]),
      stop([{ text: '', thoughtSignature: 'ZW5k' }]),
    ])
    expect(reply).toMatchObject({
      id: 'r1',
      model: 'gemini-3-pro',
      text: 'I look.',
      toolCalls: [
        { name: 'read', arguments: '{"path":"a"}' },
        { name: 'read', arguments: '{"path":"b"}' },
      ],
      stopReason: 'STOP',
      usage: { inputTokens: 103, outputTokens: 25, cacheReadTokens: 60, reasoningTokens: 20 },
    })
    expect(reply.failure).toBeUndefined()
    expect(messageOf(reply)).toEqual({
      role: 'model',
      parts: [
        { text: 'Let me see.', thought: true },
        { text: 'I look.' },
        { functionCall: { name: 'read', args: { path: 'a' } }, thoughtSignature: 'c2ln' },
        { functionCall: { name: 'read', args: { path: 'b' } } },
        { text: '', thoughtSignature: 'ZW5k' },
      ],
    })
  })

  it('names calls without ids as their message is read when it comes back', () => {
    const reply = folded([chunk([call('f', { n: 1 }), call('f', { n: 1 })]), stop()])
    const body = `{"model":"m","contents":[{"role":"user","parts":[{"text":"go"}]},${reply.message}]}`
    const read = gemini.decode({ body }).conversation.items.filter(({ kind }) => kind === 'tool-call')
    expect(read.map(({ toolCallId }) => toolCallId)).toEqual(reply.toolCalls.map(({ id }) => id))
    expect(new Set(reply.toolCalls.map(({ id }) => id)).size).toBe(2)
  })

  it.each(['MAX_TOKENS', 'SAFETY', 'RECITATION', 'MALFORMED_FUNCTION_CALL'])(
    'is whole when it ends with %s',
    (reason) => {
      const reply = folded([chunk([text('So')]), chunk([], { reason })])
      expect([reply.stopReason, reply.failure, reply.text]).toEqual([reason, undefined, 'So'])
    },
  )

  it('that was blocked says why, and nothing else', () => {
    const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 7 } }
    for (const reply of [folded([{ data: JSON.stringify(blocked) }]), gemini.decodeReply(JSON.stringify(blocked))]) {
      expect(reply).toEqual({
        text: '',
        toolCalls: [],
        stopReason: 'PROHIBITED_CONTENT',
        usage: { inputTokens: 7, outputTokens: 0 },
      })
    }
  })

  it('that breaks off is not whole, and an error is its failure', () => {
    expect(folded([chunk([text('So')])]).failure?.type).toBe('truncated')
    const error = { code: 503, message: 'high demand', status: 'UNAVAILABLE' }
    const failed = folded([chunk([text('So')]), { data: JSON.stringify({ error }) }])
    expect(failed.failure).toEqual({ type: 'UNAVAILABLE', message: 'high demand' })
  })

  it('in the form of a list is the same reply', () => {
    const events = [chunk([text('So ')]), chunk([text('be it.')]), stop()]
    const list = `[${events.map(({ data }) => data).join('\n,\r\n')}]`
    expect(gemini.decodeReply(list)).toEqual(folded(events))
    expect(gemini.usageOf(list)).toEqual(folded(events).usage)
    expect(
      gemini.decodeReply('[{"error":{"code":429,"message":"slow","status":"RESOURCE_EXHAUSTED"}}]').failure,
    ).toEqual({
      type: 'RESOURCE_EXHAUSTED',
      message: 'slow',
    })
  })
})

describe('a whole reply of Gemini', () => {
  it('keeps its parts as they came, and has a role', () => {
    const parts = '[ {"text":"a"}, {"text":"b","thoughtSignature":"c2ln"} ]'
    const reply = (content: string): ModelReply => gemini.decodeReply(`{"candidates":[{"content":${content}}]}`)
    expect(reply(`{"parts":${parts},"role":"model"}`).message).toBe(`{"parts":${parts},"role":"model"}`)
    expect(reply(`{"parts":${parts}}`).message).toBe(`{"role":"model","parts":${parts}}`)
    expect(gemini.decodeReply('{"candidates":[{"finishReason":"SAFETY"}]}')).toMatchObject({
      stopReason: 'SAFETY',
      text: '',
    })
  })

  it.each(['{}', '7', '"words"', '{"candidates":[]}'])('is broken when it is %s', (body) => {
    expect(() => gemini.decodeReply(body)).toThrow(expect.objectContaining({ code: 'upstream-broken' }))
  })
})

interface Spliced {
  readonly client: readonly SseEvent[]
  readonly ends: readonly StreamEnd[]
}

function spliced(streams: readonly (readonly SseEvent[])[], givesUp = false): Spliced {
  const splicer = gemini.splicer()
  const client: SseEvent[] = []
  const ends: StreamEnd[] = []
  let state = splicer.begin(ours)
  for (const [index, events] of streams.entries()) {
    if (index > 0) state = splicer.resume(state)
    for (const event of events) {
      const step = splicer.step(state, event)
      state = step.state
      client.push(...step.forward)
    }
    const closed = splicer.close(state)
    state = closed.state
    client.push(...closed.forward)
    if (closed.end) ends.push(closed.end)
  }
  if (givesUp) client.push(...splicer.finish(state))
  return { client, ends }
}

describe('streams of Gemini that are joined', () => {
  it('pass at once and as they came where nothing is hidden', () => {
    const events = [chunk([text('So ')]), chunk([call('read')]), stop()]
    const splicer = gemini.splicer()
    let state = splicer.begin(ours)
    for (const event of events) {
      const step = splicer.step(state, event)
      expect(step.forward).toEqual([event])
      state = step.state
    }
    expect(splicer.close(state)).toMatchObject({ forward: [], end: { mustContinue: false } })
  })

  it('are one, without our calls, with the first id and the last figures', () => {
    const { client, ends } = spliced([
      [chunk([text('I look. ')]), chunk([call('rehydrate', { handle: 'h' }, { thoughtSignature: 'c2ln' })]), stop()],
      [
        chunk([text('Found.')], { id: 'r2' }),
        stop([text('')], { promptTokenCount: 200, candidatesTokenCount: 9 }, 'r2'),
      ],
    ])
    expect(ends.map(({ mustContinue, hiddenCalls }) => [mustContinue, hiddenCalls.length])).toEqual([
      [true, 1],
      [false, 0],
    ])
    expect(client.map(({ data }) => data).join('\n')).not.toContain('rehydrate')
    expect(client.filter(({ data }) => data.includes('finishReason'))).toHaveLength(1)
    expect(client.every(({ data }) => data.includes('"responseId":"r1"'))).toBe(true)
    expect(folded(client)).toMatchObject({
      id: 'r1',
      text: 'I look. Found.',
      usage: { inputTokens: 200, outputTokens: 9 },
    })
  })

  it('lose our call beside those of the client, and end there', () => {
    const { client, ends } = spliced([[chunk([call('rehydrate', { handle: 'h' }), call('read')]), stop()]])
    expect(ends[0]).toMatchObject({ mustContinue: false, hiddenCalls: [{ name: 'rehydrate' }] })
    expect(folded(client).toolCalls.map(({ name }) => name)).toEqual(['read'])
  })

  it('say the words that stand beside the reason for an end, and the reason when no more is to come', () => {
    const last = chunk([text('I look.'), call('rehydrate')], { reason: 'STOP', usage: finalUsage })
    expect(folded(spliced([[last]]).client)).toMatchObject({ text: 'I look.', failure: { type: 'truncated' } })
    const over = folded(spliced([[last]], true).client)
    expect(over).toMatchObject({ text: 'I look.', stopReason: 'STOP', usage: { outputTokens: 25 } })
    expect(over.failure).toBeUndefined()
  })

  it('go on past a reason for an end that is in every chunk, as older models have it', () => {
    const { client, ends } = spliced([
      [stop([text('a ')]), stop([call('rehydrate')]), stop([text('b')])],
      [stop([text(' c')])],
    ])
    expect(ends.map(({ mustContinue }) => mustContinue)).toEqual([true, false])
    expect(folded(client).text).toBe('a b c')
  })

  it('are not gone on with after a call that was not finished in order', () => {
    const cut = chunk([call('rehydrate')], { reason: 'MAX_TOKENS' })
    const { client, ends } = spliced([[cut]])
    expect(ends[0]).toMatchObject({ mustContinue: false, hiddenCalls: [] })
    expect(folded(client)).toMatchObject({ toolCalls: [], stopReason: 'MAX_TOKENS' })
  })

  it('in the form of lists are joined to a list', () => {
    const list = (events: readonly SseEvent[]): string => `[${events.map(({ data }) => data).join(',')}]`
    const first = [chunk([text('I look. ')]), stop([call('rehydrate')])]
    const second = [stop([text('Found.')], finalUsage, 'r2')]
    const merged = gemini.mergeReplies([list(first), list(second)], ours)
    expect(merged.startsWith('[{')).toBe(true)
    expect(merged).not.toContain('rehydrate')
    expect(gemini.decodeReply(merged)).toEqual(folded(spliced([first, second]).client))
  })
})

describe('what was hidden from a client of Gemini', () => {
  const asks = '{"role":"user","parts":[{"text":"go"}]}'
  const bodyOf = (...contents: readonly string[]): string => `{"model":"m","contents":[${contents.join(',')}]}`
  const first = folded([
    chunk([thought('Hm. ')]),
    chunk([text('I look. ')]),
    chunk([call('rehydrate', { handle: 'h' }, { thoughtSignature: 'c2ln' })]),
    stop(),
  ])
  const results = [{ callId: first.toolCalls[0]?.id ?? '', text: 'all of it' }]
  const rounds = [{ reply: first, results }]
  const sent = gemini.hiddenMessages({ reply: first, results })

  it('goes to the model as one message of its own and one of results, with ids where it gave some', () => {
    expect(JSON.parse(sent[0] ?? '')).toEqual(messageOf(first))
    expect(JSON.parse(sent[1] ?? '')).toEqual({
      role: 'user',
      parts: [{ functionResponse: { name: 'rehydrate', response: { output: 'all of it' } } }],
    })
    const named = folded([stop([{ functionCall: { id: 'x', name: 'rehydrate' } }])])
    const [, failed] = gemini.hiddenMessages({ reply: named, results: [{ callId: 'x', text: 'no', isError: true }] })
    expect(failed).toBe(
      '{"role":"user","parts":[{"functionResponse":{"id":"x","name":"rehydrate","response":{"error":"no"}}}]}',
    )
  })

  const last = folded([
    chunk([thought('Now.')]),
    chunk([text('Found.')]),
    stop([{ text: '', thoughtSignature: 'ZW5k' }]),
  ])
  const turn = gemini.hiddenTurn({ body: bodyOf(asks), rounds, last: { reply: last, results: [] }, hiddenTools: ours })
  const overlay = turn === undefined ? [] : [{ kind: 'hidden-turn', turn } as const]

  it.each<[string, readonly JsonObject[], readonly JsonObject[]]>([
    [
      'in one part each',
      [thought('Hm. Now.'), text('I look. Found.'), { text: '', thoughtSignature: 'ZW5k' }],
      [thought('Now.'), text('Found.'), { text: '', thoughtSignature: 'ZW5k' }],
    ],
    [
      'as the chunks came',
      [thought('Hm. '), text('I look. '), text(''), thought('Now.'), text('Found.')],
      [thought('Now.'), text('Found.')],
    ],
    ['without thoughts, trimmed', [text('I look.\nFound.')], [text('Found.')]],
    ['by its end alone', [text('Found.')], [text('Found.')]],
  ])('is back when the client keeps the reply %s', (_, kept, rest) => {
    const message = JSON.stringify({ role: 'model', parts: kept })
    const { body, placed, lost } = gemini.restore(bodyOf(asks, message, asks), overlay)
    expect([placed.length, lost]).toEqual([1, []])
    expect(body).toBe(bodyOf(asks, ...sent, JSON.stringify({ role: 'model', parts: rest }), asks))
  })

  it('is back when the client keeps each chunk as a message of its own, as the provider’s own library does', () => {
    const chunks = [thought('Hm. '), text('I look. '), thought('Now.'), text('Found.')]
    const messages = chunks.map((part) => JSON.stringify({ parts: [part], role: 'model' }))
    const { body, placed } = gemini.restore(bodyOf(asks, ...messages, asks), overlay)
    expect(placed).toHaveLength(1)
    const rest = JSON.stringify({ parts: [thought('Now.'), text('Found.')], role: 'model' })
    expect(body).toBe(bodyOf(asks, ...sent, rest, asks))
  })

  it('stands before the client’s call that it stood before, with its result among the others', () => {
    const mixed = folded([
      chunk([call('read', { path: 'a' })]),
      chunk([call('rehydrate', { handle: 'h' }), call('read', { path: 'b' })]),
      stop(),
    ])
    const answers = [{ callId: mixed.toolCalls[1]?.id ?? '', text: 'all of it' }]
    const both = gemini.hiddenTurn({
      body: bodyOf(asks),
      rounds: [],
      last: { reply: mixed, results: answers },
      hiddenTools: ours,
    })
    const part = both === undefined ? [] : [{ kind: 'hidden-turn', turn: both } as const]
    const kept = JSON.stringify({ role: 'model', parts: [call('read', { path: 'a' }), call('read', { path: 'b' })] })
    const answer = (name: string, output: string): JsonObject => ({ functionResponse: { name, response: { output } } })
    const done = JSON.stringify({ role: 'user', parts: [answer('read', '1'), answer('read', '2')] })
    const { body } = gemini.restore(bodyOf(asks, kept, done), part)
    const [, model, user] = JSON.parse(body).contents
    expect(model.parts.map((one: { functionCall: { name: string } }) => one.functionCall.name)).toEqual([
      'read',
      'rehydrate',
      'read',
    ])
    expect(user.parts).toEqual([answer('rehydrate', 'all of it'), answer('read', '1'), answer('read', '2')])
    expect(gemini.decode({ body }).conversation.items.filter(({ role }) => role === 'tool')).toHaveLength(3)
  })
})

describe('texts in a stream of Gemini', () => {
  const kinds = new Set(['text', 'reasoning', 'arguments'] as const)

  it('are words, thoughts and arguments, of which each call ends with its chunk', () => {
    const event = chunk([thought('hm'), text('So'), call('f', { a: 'b' })])
    const places = gemini.textPlaces.inEvent(event, kinds)
    expect(places.map(({ kind, text: words, form }) => [kind, words, form])).toEqual([
      ['reasoning', 'hm', 'plain'],
      ['text', 'So', 'plain'],
      ['arguments', '{"a":"b"}', 'json'],
    ])
    expect(gemini.textPlaces.endedLanes(event)).toEqual([places[2]?.lane])
    expect(gemini.textPlaces.endedLanes(stop())).toBe('all')
    expect(gemini.textPlaces.endedLanes(chunk([text('a')]))).toEqual([])
    expect(withTexts(event.data, places, ['x', 'y', '{"a":"z"}'])).toBe(
      chunk([thought('x'), text('y'), call('f', { a: 'z' })]).data,
    )
  })

  it('can be added to', () => {
    const event = chunk([text('So')])
    const [place] = gemini.textPlaces.inEvent(event, kinds)
    const added = place && gemini.textPlaces.addition(place, ' be it', event)
    expect(folded([event, ...(added ? [added] : []), stop()]).text).toBe('So be it')
  })
})

describe('errors of Gemini', () => {
  const error = invalidInput('contents[3].parts', 'expected an array', 'Send an array.')

  it('carry code and status, and tell the field', () => {
    expect(JSON.parse(gemini.encodeError(error, 'req_1'))).toEqual({
      error: {
        code: 400,
        message: error.message,
        status: 'INVALID_ARGUMENT',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            'fieldViolations': [{ field: 'contents[3].parts', description: error.message }],
          },
          { '@type': 'type.googleapis.com/google.rpc.RequestInfo', 'requestId': 'req_1' },
        ],
      },
    })
  })

  it('pass on what the provider refused with', () => {
    const said =
      '{"error":{"code":429,"message":"slow","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"39s"}]}}'
    const refused = new PrehendError('upstream-refused', 'x', { status: 429, said, remedy: 'Wait.' })
    expect(JSON.parse(gemini.encodeError(refused, 'req_1'))).toEqual(JSON.parse(said))
    const page = new PrehendError('upstream-refused', 'x', { status: 404, said: '<html>', remedy: 'Wait.' })
    expect(JSON.parse(gemini.encodeError(page, 'req_1'))).toEqual({
      error: { code: 404, message: '<html>', status: 'NOT_FOUND' },
    })
  })

  it('end a stream as a failure', () => {
    const late = new PrehendError('upstream-timeout', 'too late', { phase: 'idle', remedy: 'Try again.' })
    expect(folded(gemini.encodeStreamError(late, 'r')).failure).toEqual({
      type: 'DEADLINE_EXCEEDED',
      message: 'too late',
    })
  })
})

describe('an answer without a model', () => {
  it('is the same reply as a whole and as a stream', () => {
    const usage = { inputTokens: 9, outputTokens: 7, cacheReadTokens: 4, reasoningTokens: 2 }
    const toolCalls = [{ id: 'a', name: 'f', arguments: '{"n":1}' }]
    const answer = { id: 'r', model: 'm', text: 'So.', toolCalls, usage, createdMs: 0 }
    const { body, events } = writtenAnswer(gemini.replyWriter, answer)
    const { message, ...whole } = gemini.decodeReply(body)
    expect(whole).toEqual({ id: 'r', model: 'm', text: 'So.', toolCalls, stopReason: 'STOP', usage })
    expect(messageOf(folded(events))).toEqual(JSON.parse(message ?? ''))
  })
})

describe('a reply in words of no dialect', () => {
  const reply = (parts: readonly object[], more: object = {}): object => ({
    candidates: [{ content: { role: 'model', parts }, ...more }],
    responseId: 'r',
    modelVersion: 'm',
  })
  const read = (...chunks: readonly object[]): SaidReply =>
    saidReply(gemini.replyReader.whole(JSON.stringify(chunks.length === 1 ? chunks[0] : chunks)))
  const asked = { functionCall: { name: 'f', args: { n: 1 } } }
  const done = { finishReason: 'STOP' }

  it('tells a list as it tells one reply, and calls without ids by what they ask', () => {
    const whole = read(reply([{ text: 'a' }, asked, asked], done))
    expect(read(reply([{ text: 'a' }, asked]), reply([asked], done))).toEqual(whole)
    const ids = gemini.decodeReply(JSON.stringify(reply([asked, asked], done))).toolCalls.map(({ id }) => id)
    expect(whole).toMatchObject({ id: 'r', model: 'm', text: 'a', reason: 'tool-calls' })
    expect(whole.calls.map(({ id }) => id)).toEqual(ids)
  })

  it('says what it cannot tell', () => {
    const parts = [
      { text: 'hm', thought: true },
      { ...asked, thoughtSignature: 'AAAA' },
      { inlineData: { mimeType: 'image/png', data: '' } },
      { executableCode: { code: '1' } },
    ]
    const { reasoning, lost } = read(reply(parts, { ...done, groundingMetadata: {} }))
    expect(reasoning).toBe('hm')
    expect(lost.map(({ kind, what }) => [kind, what])).toEqual([
      ['reasoning', 'signature'],
      ['media', 'inlineData'],
      ['opaque', 'executableCode'],
      ['opaque', 'citations'],
    ])
  })

  it.each([
    [reply([{ text: 'a' }], { finishReason: 'SAFETY' }), 'refused'],
    [reply([{ text: 'a' }], { finishReason: 'MAX_TOKENS' }), 'length'],
    [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'refused'],
  ])('ends as it ends: %j', (body, reason) => {
    expect(read(body).reason).toBe(reason)
  })

  it('gives arguments that are no object a place in one', () => {
    const said = { ...read(reply([asked], done)), calls: [{ id: 'a', name: 'f', arguments: '[1' }] }
    const body = gemini.replyWriter.whole(said, { id: 'r', model: 'm', createdMs: 0 })
    expect(gemini.decodeReply(body).toolCalls).toEqual([{ id: 'a', name: 'f', arguments: '{"INVALID_JSON":"[1"}' }])
  })
})
