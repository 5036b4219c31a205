import type { Answer, WrittenAnswer } from '../answer.ts'
import type { SseEvent } from '../sse.ts'

/** A message that ends in order. */
export function writeAnswer(answer: Answer): WrittenAnswer {
  const { id, model, text, toolCalls = [] } = answer
  const calls = toolCalls.map(({ id: callId, name, arguments: json }) => ({ type: 'tool_use', id: callId, name, json }))
  const stop = { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null }
  const usage = usageOf(answer)
  const frame = { id, type: 'message', role: 'assistant', model }
  const words = text === '' ? [] : [{ type: 'text', text }]
  const content = [...words, ...calls.map(({ json, ...call }) => ({ ...call, input: JSON.parse(json) as unknown }))]
  const start = { ...frame, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 0 } }
  const blocks = [
    ...words.map((block) => ({ block: { ...block, text: '' }, delta: { type: 'text_delta', text } })),
    ...calls.map(({ json, ...call }) => ({
      block: { ...call, input: {} },
      delta: { type: 'input_json_delta', partial_json: json },
    })),
  ]
  return {
    body: JSON.stringify({ ...frame, content, ...stop, usage }),
    events: [
      event('message_start', { message: start }),
      ...blocks.flatMap(({ block, delta }, index) => [
        event('content_block_start', { index, content_block: block }),
        event('content_block_delta', { index, delta }),
        event('content_block_stop', { index }),
      ]),
      event('message_delta', { delta: stop, usage: { output_tokens: usage.output_tokens } }),
      event('message_stop', {}),
    ],
  }
}

function event(type: string, members: object): SseEvent {
  return { event: type, data: JSON.stringify({ type, ...members }) }
}

function usageOf({ usage }: Answer) {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage ?? {}
  return {
    input_tokens: inputTokens - cacheReadTokens - cacheWriteTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
  }
}
