import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dialect, SaidReply } from '../../core/index.ts'
import { codecFor } from '../index.ts'
import type { Codec } from '../codec.ts'
import type { SseEvent } from '../sse.ts'
import { rewrittenEvents, rewrittenReply } from './rewrite-calls.ts'
import type { RewriteCall } from './rewrite-calls.ts'

const dialects: readonly Dialect[] = ['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini']
const frame = { id: 'reply_1', model: 'model', createdMs: 0 }

const value = fc.jsonValue({ maxDepth: 2 })
const calls = fc.array(
  fc.record({
    name: fc.constantFrom('run', 'read', 'execute_tool'),
    arguments: fc.dictionary(fc.string({ maxLength: 8 }), value, { maxKeys: 4 }).map((given) => JSON.stringify(given)),
  }),
  { minLength: 1, maxLength: 4 },
)

/** As `execute_tool` has it, and back. */
const wrap: RewriteCall = ({ name, arguments: given }) =>
  name === 'read' ? { name: 'execute_tool', arguments: `{"toolName":"read","params":${given}}` } : undefined
const unwrap: RewriteCall = ({ name, arguments: given }) => {
  const { toolName, params } = JSON.parse(given) as { toolName?: string; params?: object }
  return name === 'execute_tool' && toolName !== undefined
    ? { name: toolName, arguments: JSON.stringify(params) }
    : undefined
}

type Made = readonly { readonly name: string; readonly arguments: string }[]

function saidOf(made: Made, text: string): SaidReply {
  return {
    text,
    reasoning: '',
    calls: made.map((call, index) => ({ id: `call_${index}`, ...call })),
    reason: 'tool-calls',
    usage: { inputTokens: 1, outputTokens: 1 },
    lost: [],
  }
}

function eventsOf(codec: Codec, made: Made, text: string): readonly SseEvent[] {
  let state = codec.replyWriter.begin(frame)
  const told: SseEvent[] = []
  for (const event of codec.replyReader.whole(codec.replyWriter.whole(saidOf(made, text), frame))) {
    const step = codec.replyWriter.step(state, event)
    state = step.state
    told.push(...step.events)
  }
  return told
}

function read(codec: Codec, events: readonly SseEvent[]): Made {
  const reducer = codec.reducer()
  const state = events.reduce((before, event) => reducer.step(before, event), reducer.initial)
  return reducer.reply(state).toolCalls.map((call) => ({ name: call.name, arguments: canonical(call.arguments) }))
}

const canonical = (json: string): string => JSON.stringify(JSON.parse(json))
const expected = (made: Made, rewrite: RewriteCall): Made =>
  made.map((call) => {
    const now = rewrite(call) ?? call
    return { name: now.name, arguments: canonical(now.arguments) }
  })

describe.each(dialects)('calls that are written as others: %s', (dialect) => {
  const codec = codecFor(dialect)

  it('in whole replies, and nothing else changes', () => {
    fc.assert(
      fc.property(calls, fc.string(), (made, text) => {
        const body = codec.replyWriter.whole(saidOf(made, text), frame)
        const written = rewrittenReply(codec.calls, body, wrap)
        const said = codec.decodeReply(written)
        expect(said.toolCalls.map((call) => ({ name: call.name, arguments: canonical(call.arguments) }))).toEqual(
          expected(made, wrap),
        )
        expect(said.text).toBe(codec.decodeReply(body).text)
        if (made.every(({ name }) => name === 'run')) expect(written).toBe(body)
      }),
      { numRuns: 60 },
    )
  })

  it('in streams, event by event, and back again', () => {
    fc.assert(
      fc.property(calls, fc.string(), (made, text) => {
        const events = eventsOf(codec, made, text)
        const wrapped = rewrittenEvents(codec.calls, events, wrap)
        expect(wrapped).toHaveLength(events.length)
        expect(read(codec, wrapped)).toEqual(expected(made, wrap))
        expect(read(codec, rewrittenEvents(codec.calls, wrapped, unwrap))).toEqual(
          expected(expected(made, wrap), unwrap),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('in requests: a conversation with a catalogue says the same, and keeps what is no call', () => {
    fc.assert(
      fc.property(calls, (made) => {
        const body = codec.write(conversationOf(codec, made), {
          hiddenTools: ['run', 'read', 'execute_tool'].map((name) => ({
            name,
            description: '',
            schema: { type: 'object' },
          })),
        }).body
        const exchange = codec.decode({ body })
        const written = codec.unlistTools(exchange, { isListed: (name) => name === 'run', added: [], rewrite: wrap })
        const now = codec.decode({ body: written }).conversation
        expect(now.tools.map(({ name }) => name)).toEqual(['run'])
        const callsOf = now.items.filter(({ kind }) => kind === 'tool-call')
        expect(callsOf.map((item) => ({ name: item.toolName, arguments: canonical(item.text || '{}') }))).toEqual(
          expected(made, wrap),
        )
        const results = now.items.filter(({ kind }) => kind === 'tool-result')
        expect(results.map(({ text }) => text).join()).toBe(made.map((_, index) => `answer ${index}`).join())
      }),
      { numRuns: 60 },
    )
  })
})

function conversationOf(codec: Codec, made: Made): Parameters<Codec['write']>[0] {
  const items = [
    { id: 'q', section: 'query' as const, kind: 'text' as const, role: 'user' as const, text: 'Do it.' },
    ...made.flatMap((call, index) => [
      {
        id: `c${index}`,
        section: 'history' as const,
        kind: 'tool-call' as const,
        role: 'assistant' as const,
        toolName: call.name,
        toolCallId: `call_${index}`,
        group: `call_${index}`,
        text: call.arguments,
      },
      {
        id: `r${index}`,
        section: 'history' as const,
        kind: 'tool-result' as const,
        role: 'tool' as const,
        toolName: call.name,
        toolCallId: `call_${index}`,
        group: `call_${index}`,
        text: `answer ${index}`,
      },
    ]),
  ]
  const messages = items.map(({ id, role }) => ({ id: `m${id}`, role, itemIds: [id] }))
  return {
    model: codec.dialect === 'gemini' ? 'gemini-2.5-pro' : 'model',
    stream: false,
    messages,
    items,
    tools: [],
    sampling: {},
  }
}
