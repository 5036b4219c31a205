import type { Answer, WrittenAnswer } from '../answer.ts'
import type { SseEvent } from '../sse.ts'

/** A response that ends in order. */
export function writeAnswer(answer: Answer): WrittenAnswer {
  const { id, model, createdMs } = answer
  const frame = { id, object: 'response', created_at: Math.floor(createdMs / 1000), model }
  const rest = { error: null, incomplete_details: null, instructions: null, metadata: {}, tools: [] }
  const begun = { ...frame, ...rest, status: 'in_progress', output: [], usage: null }
  const items = itemsOf(answer)
  const output = items.map(({ item }) => item)
  const whole = { ...frame, ...rest, status: 'completed', output, usage: usageOf(answer) }
  const told = [
    { type: 'response.created', response: begun },
    ...items.flatMap(({ events }, index) => events.map((event) => ({ ...event, output_index: index }))),
    { type: 'response.completed', response: whole },
  ]
  return { body: JSON.stringify(whole), events: told.map(numbered) }
}

function numbered({ type, ...members }: { readonly type: string }, sequence_number: number): SseEvent {
  return { event: type, data: JSON.stringify({ type, ...members, sequence_number }) }
}

interface SaidItem {
  readonly item: object
  readonly events: readonly { readonly type: string }[]
}

function itemsOf({ id, text, toolCalls = [] }: Answer): readonly SaidItem[] {
  const calls = toolCalls.map((call, index) => callItem(call, `fc_${id}_${index}`))
  return text === '' ? calls : [messageItem(text, `msg_${id}`), ...calls]
}

function messageItem(text: string, id: string): SaidItem {
  const part = { type: 'output_text', text, annotations: [] }
  const message = { id, type: 'message', role: 'assistant' }
  const item = { ...message, status: 'completed', content: [part] }
  const at = { item_id: id, content_index: 0 }
  const events = [
    { type: 'response.output_item.added', item: { ...message, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', ...at, delta: text, logprobs: [] },
    { type: 'response.output_text.done', ...at, text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part },
    { type: 'response.output_item.done', item },
  ]
  return { item, events }
}

type Call = NonNullable<Answer['toolCalls']>[number]

function callItem({ id: call_id, name, arguments: json }: Call, id: string): SaidItem {
  const call = { id, type: 'function_call', call_id, name }
  const item = { ...call, arguments: json, status: 'completed' }
  const events = [
    { type: 'response.output_item.added', item: { ...call, arguments: '', status: 'in_progress' } },
    { type: 'response.function_call_arguments.delta', item_id: id, delta: json },
    { type: 'response.function_call_arguments.done', item_id: id, name, arguments: json },
    { type: 'response.output_item.done', item },
  ]
  return { item, events }
}

function usageOf({ usage }: Answer): object {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, reasoningTokens = 0 } = usage ?? {}
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}
