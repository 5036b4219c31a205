// Replies of the Responses dialect, as bodies and as streams.
import type { SseEvent } from '../../codecs/index.ts'
import type { PlainReply, WrittenReply } from './plain-reply.ts'

type Cut = (words: string) => readonly string[]

interface Event extends Readonly<Record<string, unknown>> {
  readonly type: string
}

interface SaidItem {
  readonly item: object
  readonly begun: object
  readonly events: readonly Event[]
}

const statuses = { end: 'completed', calls: 'completed', length: 'incomplete' } as const

export function responsesReply(reply: PlainReply, cut: Cut): WrittenReply {
  const head = { id: reply.id, object: 'response', created_at: 1, model: 'gpt', error: null }
  const items = [
    ...(reply.reasoning === '' ? [] : [reasoningItem(reply, cut)]),
    ...reply.texts.map((words, index) => messageItem(`msg_${reply.id}_${index}`, words, cut)),
    ...reply.calls.map((call) => callItem(call, cut)),
  ]
  const usage = {
    input_tokens: reply.input + reply.cached,
    input_tokens_details: { cached_tokens: reply.cached },
    output_tokens: reply.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: reply.input + reply.cached + reply.output,
  }
  const status = statuses[reply.stop]
  const incomplete_details = status === 'incomplete' ? { reason: 'max_output_tokens' } : null
  const begun = { ...head, status: 'in_progress', incomplete_details: null, output: [], usage: null }
  const whole = { ...head, status, incomplete_details, output: items.map(({ item }) => item), usage }
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items.flatMap(itemEvents),
    { type: `response.${status}`, response: whole },
  ]
  return { body: JSON.stringify(whole), events: events.map(numbered) }
}

function numbered({ type, ...members }: Event, sequence_number: number): SseEvent {
  return { event: type, data: JSON.stringify({ type, sequence_number, ...members }) }
}

function itemEvents({ item, begun, events }: SaidItem, output_index: number): readonly Event[] {
  const all = [
    { type: 'response.output_item.added', item: begun },
    ...events,
    { type: 'response.output_item.done', item },
  ]
  return all.map((event) => ({ ...event, output_index }))
}

function reasoningItem({ id, reasoning }: PlainReply, cut: Cut): SaidItem {
  const frame = { id: `rs_${id}`, type: 'reasoning', encrypted_content: 'c2ln+/==' }
  const at = { item_id: frame.id, summary_index: 0 }
  return {
    item: { ...frame, summary: [{ type: 'summary_text', text: reasoning }] },
    begun: { ...frame, summary: [] },
    events: [
      { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } },
      ...cut(reasoning).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
      { type: 'response.reasoning_summary_text.done', ...at, text: reasoning },
      { type: 'response.reasoning_summary_part.done', ...at, part: { type: 'summary_text', text: reasoning } },
    ],
  }
}

function messageItem(id: string, text: string, cut: Cut): SaidItem {
  const frame = { id, type: 'message', role: 'assistant', phase: 'commentary' }
  const part = { type: 'output_text', text, annotations: [] }
  const at = { item_id: id, content_index: 0 }
  return {
    item: { ...frame, status: 'completed', content: [part] },
    begun: { ...frame, status: 'in_progress', content: [] },
    events: [
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      ...cut(text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
      { type: 'response.output_text.done', ...at, text, logprobs: [] },
      { type: 'response.content_part.done', ...at, part },
    ],
  }
}

function callItem({ id: call_id, name, arguments: json }: PlainReply['calls'][number], cut: Cut): SaidItem {
  const frame = { id: `fc_${call_id}`, type: 'function_call', call_id, name }
  const at = { item_id: frame.id }
  return {
    item: { ...frame, arguments: json, status: 'completed' },
    begun: { ...frame, arguments: '', status: 'in_progress' },
    events: [
      ...cut(json).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
      { type: 'response.function_call_arguments.done', ...at, arguments: json },
    ],
  }
}
