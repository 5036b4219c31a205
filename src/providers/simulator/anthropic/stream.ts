import type { JsonObject } from '../../../core/index.ts'
import type { Chunk, Completion } from '../dialect.ts'
import type { AnswerPart } from '../script.ts'
import { slicesOf, wordsOf } from '../pieces.ts'
import { sseEvent } from '../sse.ts'
import { textOf } from '../read-json.ts'
import { anthropicContent, anthropicMessage, anthropicStop, deltaUsage } from './reply.ts'

/** The events of a streamed message, in the documented order. */
export function anthropicChunks(completion: Completion): readonly Chunk[] {
  const blocks = anthropicContent(completion)
  return [
    event({ type: 'message_start', message: anthropicMessage(completion, true) }),
    event({ type: 'ping' }),
    ...completion.parts.flatMap((part, index) => blockChunks({ part, block: blocks[index] ?? {}, index, completion })),
    event({ type: 'message_delta', delta: anthropicStop(completion), usage: deltaUsage(completion) }),
    event({ type: 'message_stop' }),
  ]
}

interface BlockInput {
  readonly part: AnswerPart
  readonly block: JsonObject
  readonly index: number
  readonly completion: Completion
}

function blockChunks({ part, block, index, completion }: BlockInput): readonly Chunk[] {
  const { call } = completion
  const count = (text: string): number => call.count(call.model.id, text)
  return [
    event({ type: 'content_block_start', index, content_block: emptied(block) }),
    ...deltas(part, block, count).map(({ delta, tokens }) =>
      event({ type: 'content_block_delta', index, delta }, tokens),
    ),
    event({ type: 'content_block_stop', index }),
  ]
}

function emptied(block: JsonObject): JsonObject {
  if (block['type'] === 'text') return { ...block, text: '' }
  if (block['type'] === 'tool_use') return { ...block, input: {} }
  return block['type'] === 'thinking' ? { ...block, thinking: '', signature: '' } : block
}

interface Delta {
  readonly delta: JsonObject
  readonly tokens: number
}

function deltas(part: AnswerPart, block: JsonObject, count: (text: string) => number): readonly Delta[] {
  if (part.type === 'text')
    return wordsOf(part.text).map((text) => ({ delta: { type: 'text_delta', text }, tokens: count(text) }))
  if (part.type === 'tool-call') {
    const json = typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments)
    return ['', ...slicesOf(json, 16)].map((partial_json) => ({
      delta: { type: 'input_json_delta', partial_json },
      tokens: count(partial_json),
    }))
  }
  if (block['type'] === 'redacted_thinking') return []
  const shown = wordsOf(textOf(block['thinking']) ?? '')
  const signature = { type: 'signature_delta', signature: textOf(block['signature']) ?? '' }
  return [
    ...shown.map((thinking) => ({ delta: { type: 'thinking_delta', thinking }, tokens: count(thinking) })),
    // Thinking that is not shown takes its time all the same.
    { delta: signature, tokens: shown.length === 0 ? count(part.text) : 0 },
  ]
}

function event(data: JsonObject, tokens = 0): Chunk {
  return { data: sseEvent(data, textOf(data['type'])), tokens }
}
