import { describe, expect, it } from 'vitest'
import type { HiddenTurn } from '../../core/index.ts'
import { PrehendError, isJsonObject } from '../../core/index.ts'
import { spliceTurn, writeReply } from '../../testing/index.ts'
import type { PlainReply, WrittenReply } from '../../testing/index.ts'
import { writtenAnswer } from '../answer.ts'
import type { SseEvent } from '../sse.ts'
import { openaiResponses } from './index.ts'

const hiddenTools = new Set(['rehydrate'])
const plain: PlainReply = {
  id: 'resp_1',
  reasoning: '',
  texts: [],
  calls: [],
  stop: 'end',
  input: 5,
  cached: 3,
  output: 2,
}
const ours = { id: 'h1', name: 'rehydrate', arguments: '{"handle":"1"}' }
const theirs = { id: 'c1', name: 'read', arguments: '{}' }

function written(reply: Partial<PlainReply>): WrittenReply {
  return writeReply('openai-responses', { ...plain, ...reply }, (words) => [words.slice(0, 2), words.slice(2)])
}

const asking = written({ texts: ['Let me look. '], reasoning: 'hm', calls: [ours], stop: 'calls' })
const answering = written({ id: 'resp_2', texts: ['So it is.'], reasoning: 'oh' })

function fold(events: readonly SseEvent[]) {
  const reducer = openaiResponses.reducer()
  return reducer.reply(events.reduce((state, event) => reducer.step(state, event), reducer.initial))
}

function parsed({ data }: SseEvent) {
  const value: unknown = JSON.parse(data)
  return value as {
    type: string
    sequence_number: number
    output_index?: number
    response?: { [name: string]: unknown }
  }
}

function numbersOf(events: readonly SseEvent[]): readonly number[] {
  return events.map((event) => parsed(event).sequence_number)
}

function inOrder(events: readonly SseEvent[]): readonly number[] {
  return events.map((_, index) => index)
}

describe('a stream of Responses', () => {
  it('is folded, with the stop that was told', () => {
    expect(fold(asking.events)).toMatchObject({
      id: 'resp_1',
      model: 'gpt',
      text: 'Let me look. ',
      toolCalls: [ours],
      stopReason: 'completed',
      usage: { inputTokens: 8, cacheReadTokens: 3, outputTokens: 2, reasoningTokens: 0 },
    })
    expect(fold(written({ stop: 'length' }).events).stopReason).toBe('max_output_tokens')
  })

  it('is folded from its items where the last event leaves them out', () => {
    const bare = answering.events.map((event) => {
      const data = parsed(event)
      return {
        ...event,
        data: JSON.stringify(data.response ? { ...data, response: { ...data.response, output: [] } } : data),
      }
    })
    expect(fold(bare)).toEqual(fold(answering.events))
    const { client } = spliceTurn(openaiResponses, [asking.events, bare])
    expect(fold(client).text).toBe('Let me look. So it is.')
  })

  it('that is cut off keeps what was said', () => {
    const cut = fold(answering.events.slice(0, -4))
    expect(cut).toMatchObject({ text: 'So it is.', failure: { type: 'truncated' } })
  })

  it.each([
    [{ type: 'error', code: 'server_error', message: 'broke', param: null, sequence_number: 3 }, 'server_error'],
    [{ type: 'error', error: { type: 'insufficient_quota', message: 'broke' } }, 'insufficient_quota'],
    [{ error: { message: 'broke', code: 'x' } }, 'x'],
    [
      {
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'broke' } },
      },
      'rate_limit_exceeded',
    ],
  ])('fails by %j', (data, type) => {
    const events = [...answering.events.slice(0, 3), { data: JSON.stringify(data) }]
    expect(fold(events).failure).toEqual({ type, message: 'broke' })
    expect(
      openaiResponses.reducer().step(openaiResponses.reducer().initial, { data: JSON.stringify(data) }).ended,
    ).toBe(true)
  })

  it('that says nothing of ours passes byte for byte', () => {
    const { client } = spliceTurn(openaiResponses, [answering.events])
    expect(client).toEqual(answering.events)
  })

  it('goes on in the next one: numbers and places run on, and the id stays', () => {
    const { client } = spliceTurn(openaiResponses, [asking.events, answering.events])
    expect(numbersOf(client)).toEqual(inOrder(client))
    expect(new Set(client.flatMap((event) => parsed(event).output_index ?? []))).toEqual(new Set([0, 1, 2, 3]))
    expect(client.filter((event) => parsed(event).type === 'response.created')).toHaveLength(1)
    const last = parsed(client.at(-1) ?? { data: '{}' }).response
    expect([last?.['id'], last?.['output']]).toMatchObject(['resp_1', { length: 4 }])
  })

  it('shows the calls of the client beside ours', () => {
    const mixed = written({ id: 'resp_2', calls: [ours, theirs], stop: 'calls' })
    const { client, last } = spliceTurn(openaiResponses, [mixed.events])
    expect(fold(client).toolCalls).toEqual([theirs])
    expect(last.results).toHaveLength(1)
    expect(numbersOf(client)).toEqual(inOrder(client))
  })

  it('ends with what it has where no round follows', () => {
    const splicer = openaiResponses.splicer()
    let state = splicer.begin(hiddenTools)
    const client: SseEvent[] = []
    for (const event of asking.events) {
      const step = splicer.step(state, event)
      state = step.state
      client.push(...step.forward)
    }
    expect(state.held).toBe(true)
    client.push(...splicer.finish(state))
    expect(fold(client)).toMatchObject({ text: 'Let me look. ', toolCalls: [], stopReason: 'completed' })
    expect(numbersOf(client)).toEqual(inOrder(client))
  })

  it('does not repeat our tools', () => {
    const tools = [
      { type: 'function', name: 'read' },
      { type: 'function', name: 'rehydrate' },
    ]
    const withTools = (event: SseEvent): SseEvent => {
      const data = parsed(event)
      return data.response
        ? { ...event, data: JSON.stringify({ ...data, response: { ...data.response, tools } }) }
        : event
    }
    const { client } = spliceTurn(openaiResponses, [answering.events.map(withTools)])
    expect(JSON.stringify(client)).not.toContain('rehydrate')
    expect(parsed(client[0] ?? { data: '{}' }).response?.['tools']).toEqual(tools.slice(0, 1))
    const body = JSON.stringify({ ...(JSON.parse(answering.body) as object), tools })
    expect(openaiResponses.mergeReplies([body], hiddenTools)).not.toContain('rehydrate')
  })
})

describe('a hidden exchange of Responses', () => {
  const { hidden, last, client } = spliceTurn(openaiResponses, [asking.events, answering.events])
  const first = JSON.stringify({ model: 'm', input: 'go' })
  const turn: HiddenTurn | undefined = openaiResponses.hiddenTurn({ body: first, rounds: hidden, last, hiddenTools })
  const overlay = turn === undefined ? [] : [{ kind: 'hidden-turn', turn } as const]
  const seen: readonly { [name: string]: unknown }[] = JSON.parse(fold(client).message ?? '[]')
  const next = (items: readonly object[]): string =>
    JSON.stringify({
      model: 'm',
      input: [{ role: 'user', content: 'go' }, ...items, { role: 'user', content: 'more' }],
    })
  const restored = (items: readonly object[]): readonly { [name: string]: unknown }[] => {
    const { body, placed, lost } = openaiResponses.restore(next(items), overlay)
    expect([placed, lost]).toEqual([overlay, []])
    return (JSON.parse(body) as { input: { [name: string]: unknown }[] }).input
  }
  const exchange = ['reasoning', 'message', 'function_call', 'function_call_output']
  const typesOf = (items: readonly { [name: string]: unknown }[]) => items.slice(1, -1).map(({ type }) => type)

  it('is back where it stood', () => {
    expect(typesOf(restored(seen))).toEqual([...exchange, 'reasoning', 'message'])
  })

  it('is back where items are told by their names alone', () => {
    const named = seen.map(({ id }) => ({ type: 'item_reference', id }))
    expect(typesOf(restored(named))).toEqual([...exchange, 'item_reference', 'item_reference'])
  })

  it('is back where names and reasoning were left out, or words joined', () => {
    const words = seen.flatMap(({ id: _id, ...item }) => (item['type'] === 'message' ? [item] : []))
    expect(typesOf(restored(words))).toEqual([...exchange, 'message'])
    const joined = [{ role: 'assistant', content: 'Let me look. So it is.' }]
    expect(restored(joined).at(-2)).toEqual({ role: 'assistant', content: 'So it is.' })
  })

  it('can be sent where the provider keeps nothing: reasoning that is but a name goes, with the names of what it led to', () => {
    const output = [
      { type: 'reasoning', id: 'rs', summary: [] },
      { type: 'function_call', id: 'fc', call_id: 'h1', name: 'f' },
    ]
    const reply = { text: '', toolCalls: [], message: JSON.stringify(output) }
    const items = openaiResponses.hiddenMessages({ reply, results: [{ callId: 'h1', text: 'all' }] })
    expect(items.map((item): unknown => JSON.parse(item))).toEqual([
      { type: 'function_call', call_id: 'h1', name: 'f' },
      { type: 'function_call_output', call_id: 'h1', output: 'all' },
    ])
    const kept = openaiResponses.hiddenMessages({ reply, results: [], isKept: true })
    expect(kept.map((item): unknown => JSON.parse(item))).toEqual(output)
  })

  it('beside calls of the client is told by those', () => {
    const mixed = written({ id: 'resp_3', calls: [ours, theirs], stop: 'calls' })
    const done = spliceTurn(openaiResponses, [mixed.events])
    const record = openaiResponses.hiddenTurn({ body: first, rounds: [], last: done.last, hiddenTools })
    const called = { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' }
    const answer = { type: 'function_call_output', call_id: 'c1', output: 'x' }
    const parts = record === undefined ? [] : [{ kind: 'hidden-turn', turn: record } as const]
    const { body } = openaiResponses.restore(next([called, answer]), parts)
    const ids = (JSON.parse(body) as { input: { type?: string; call_id?: string }[] }).input
    expect(ids.slice(1, -1).map(({ type, call_id: id }) => [type, id])).toEqual([
      ['function_call', 'h1'],
      ['function_call', 'c1'],
      ['function_call_output', 'h1'],
      ['function_call_output', 'c1'],
    ])
  })
})

describe('a reply of Responses', () => {
  it('calls for what only the client can do, whatever it is', () => {
    const output = [
      { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: '*** Begin' },
      { type: 'local_shell_call', id: 'ls', call_id: 'b', action: { command: ['ls'] } },
      { type: 'web_search_call', id: 'ws', status: 'completed' },
    ]
    const { toolCalls } = openaiResponses.decodeReply(JSON.stringify({ id: 'r', status: 'completed', output }))
    expect(toolCalls).toEqual([
      { id: 'a', name: 'apply_patch', arguments: '*** Begin' },
      { id: 'b', name: 'local_shell', arguments: '{"command":["ls"]}' },
    ])
  })

  it('may have failed, or be none', () => {
    const failed = { id: 'r', status: 'failed', error: { code: 'server_error', message: 'broke' }, output: [] }
    expect(openaiResponses.decodeReply(JSON.stringify(failed)).failure).toEqual({
      type: 'server_error',
      message: 'broke',
    })
    expect(openaiResponses.decodeReply('{"error":{"type":"x","message":"no"}}').failure).toEqual({
      type: 'x',
      message: 'no',
    })
    expect(() => openaiResponses.decodeReply('{}')).toThrow(expect.objectContaining({ code: 'upstream-broken' }))
  })

  it('of ours is read as it was meant, streamed or not', () => {
    const { body, events } = writtenAnswer(openaiResponses.replyWriter, {
      id: 'r',
      model: 'm',
      text: 'Hello.',
      toolCalls: [theirs],
      usage: { inputTokens: 4, outputTokens: 2, cacheReadTokens: 1 },
      createdMs: 0,
    })
    expect(openaiResponses.decodeReply(body)).toMatchObject({
      text: 'Hello.',
      toolCalls: [theirs],
      stopReason: 'completed',
    })
    expect(fold(events)).toEqual(openaiResponses.decodeReply(body))
    expect(numbersOf(events)).toEqual(inOrder(events))
  })

  it('that is an error of ours has it where clients look for it', () => {
    const error = new PrehendError('invalid-input', 'input: missing', { field: 'input', remedy: '' })
    const [event] = openaiResponses.encodeStreamError(error, 'id')
    const data: unknown = JSON.parse(event?.data ?? '')
    expect(event?.event).toBe('error')
    expect(isJsonObject(data) && [data['type'], data['message'], data['param']]).toEqual([
      'error',
      'input: missing',
      'input',
    ])
    expect(fold(event ? [event] : []).failure?.message).toBe('input: missing')
  })
})
