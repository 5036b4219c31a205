import { describe, expect, it } from 'vitest'
import type { ReplyEvent } from '../../core/index.ts'
import type { SseEvent } from '../sse.ts'
import { openaiResponses } from './index.ts'

const { replyReader, replyWriter } = openaiResponses

function read(events: readonly object[]): readonly ReplyEvent[] {
  const said: ReplyEvent[] = []
  let state = replyReader.initial
  for (const event of events) {
    const step = replyReader.step(state, { data: JSON.stringify(event) })
    state = step.state
    said.push(...step.events)
  }
  return [...said, ...replyReader.close(state)]
}

const call = { type: 'function_call', id: 'fc', call_id: 'c', name: 'read', arguments: '{}' }
const output = [
  { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'c2ln' },
  { type: 'message', id: 'msg', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
  { type: 'web_search_call', id: 'ws', status: 'completed' },
  call,
]
const words: readonly ReplyEvent[] = [
  { kind: 'begin', id: 'resp_1', model: 'm' },
  { kind: 'reasoning', text: 'Hm.' },
  { kind: 'lost', loss: { kind: 'reasoning', what: 'encrypted_content', why: expect.any(String) as string } },
  { kind: 'text', text: 'No.', isRefusal: true },
  { kind: 'lost', loss: { kind: 'opaque', what: 'web_search_call', why: expect.any(String) as string } },
  { kind: 'call', call: 3, id: 'c', name: 'read' },
  { kind: 'arguments', call: 3, text: '{}' },
  { kind: 'call-end', call: 3 },
]

describe('what a response says, in words of no dialect', () => {
  const response = { id: 'resp_1', model: 'm', status: 'completed', output }

  it('is the same whole, and as a stream that tells its items only whole', () => {
    const whole = replyReader.whole(JSON.stringify(response))
    expect(whole).toEqual([...words, { kind: 'end', reason: 'tool-calls' }])
    const items = output.map((item, index) => ({ type: 'response.output_item.done', output_index: index, item }))
    const begun = { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } }
    expect(read([begun, ...items, { type: 'response.completed', response }])).toEqual(whole)
  })

  it.each([
    [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, 'refused'],
    [{ status: 'completed' }, 'end'],
  ])('%j ends by %s', (more, reason) => {
    const body = JSON.stringify({ ...response, output: [], ...more })
    expect(replyReader.whole(body).at(-1)).toMatchObject({ kind: 'end', reason })
  })
})

describe('a response that is written', () => {
  it('numbers its events, tells its items where they are, and says why it is not complete', () => {
    const said: readonly ReplyEvent[] = [
      { kind: 'begin', id: 'r' },
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'text', text: 'One. ' },
      { kind: 'text', text: 'Two.' },
      { kind: 'end', reason: 'length' },
    ]
    const events: SseEvent[] = []
    let state = replyWriter.begin({ id: 'x', model: 'm', createdMs: 5000 })
    for (const event of said) {
      const step = replyWriter.step(state, event)
      state = step.state
      events.push(...step.events)
    }
    const told = events.map(({ data }) => JSON.parse(data) as { type: string; [member: string]: unknown })
    expect(told.map(({ sequence_number: number }) => number)).toEqual(told.map((_, index) => index))
    expect(events.map(({ event }) => event)).toEqual(told.map(({ type }) => type))
    const places = told.filter(({ type }) => type.endsWith('.delta')).map(({ output_index: index }) => index)
    expect(places).toEqual([0, 1, 1])
    expect(told.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: {
        id: 'r',
        created_at: 5,
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ summary: [{ text: 'Hm.' }] }, { content: [{ text: 'One. Two.' }] }],
      },
    })
  })
})
