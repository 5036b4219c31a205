import { parseObject } from '../../../core/index.ts'
import type { JsonObject, JsonValue, Usage } from '../../../core/index.ts'
import type { Completion, StopKind } from '../dialect.ts'
import type { AnswerPart } from '../script.ts'
import { objectOf, textOf } from '../read-json.ts'
import { sealRedacted, signThinking } from './signature.ts'

const stopReasons: { readonly [Kind in StopKind]: string } = {
  'end': 'end_turn',
  'length': 'max_tokens',
  'tool-calls': 'tool_use',
  'stop-sequence': 'stop_sequence',
  'refusal': 'refusal',
  'context-window': 'model_context_window_exceeded',
}

export function anthropicContent(completion: Completion): readonly JsonObject[] {
  return completion.parts.map((part) => contentBlock(part, completion))
}

function contentBlock(part: AnswerPart, { call }: Completion): JsonObject {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'tool-call') {
    const input = typeof part.arguments === 'string' ? (parseObject(part.arguments) ?? {}) : part.arguments
    return { type: 'tool_use', id: part.id ?? '', name: part.name, input, caller: { type: 'direct' } }
  }
  const tokens = call.count(call.model.id, part.text)
  if (part.redacted === true) return { type: 'redacted_thinking', data: sealRedacted(tokens) }
  const thinking = showsThinking(call.body, call.model.provider === 'anthropic' && call.model.claude.omitsThinking)
    ? part.text
    : ''
  return { type: 'thinking', thinking, signature: signThinking(thinking, tokens) }
}

function showsThinking(body: JsonObject, omitsByDefault: boolean): boolean {
  const display = textOf(objectOf(body['thinking'])['display'])
  return display === undefined ? !omitsByDefault : display !== 'omitted'
}

/** Message as in a JSON reply; `begun` leaves out what is not known when a stream begins. */
export function anthropicMessage(completion: Completion, begun = false): JsonObject {
  return {
    id: completion.id,
    type: 'message',
    role: 'assistant',
    model: completion.call.model.id,
    content: begun ? [] : anthropicContent(completion),
    ...(completion.call.body['diagnostics'] != null && { diagnostics: completion.diagnostics ?? null }),
    ...(begun ? { stop_reason: null, stop_sequence: null, stop_details: null } : anthropicStop(completion)),
    usage: anthropicUsage(completion, begun),
  }
}

export function anthropicStop({ stop, stopSequence }: Completion): JsonObject {
  return {
    stop_reason: stopReasons[stop],
    stop_sequence: stopSequence ?? null,
    stop_details: stop === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null,
  }
}

function anthropicUsage({ usage, thinkingTokens, call, bill }: Completion, begun: boolean): JsonObject {
  return {
    ...inputUsage(usage),
    output_tokens: begun ? Math.min(1, usage.outputTokens) : usage.outputTokens,
    ...(!begun && { output_tokens_details: { thinking_tokens: thinkingTokens } }),
    service_tier: 'standard',
    inference_geo: textOf(call.body['inference_geo']) ?? 'global',
    ...(call.body['speed'] != null && { speed: call.body['speed'] }),
    ...(!begun && bill),
  }
}

function inputUsage(usage: Usage): JsonObject {
  const read = usage.cacheReadTokens ?? 0
  const write = usage.cacheWriteTokens ?? 0
  const long = usage.cacheWriteLongTokens ?? 0
  return {
    input_tokens: usage.inputTokens - read - write,
    cache_creation_input_tokens: write,
    cache_read_input_tokens: read,
    cache_creation: { ephemeral_5m_input_tokens: write - long, ephemeral_1h_input_tokens: long },
  }
}

export function deltaUsage({ usage, thinkingTokens, bill }: Completion): JsonObject {
  const { cache_creation: _, ...input } = inputUsage(usage) as Record<string, JsonValue>
  return {
    ...input,
    output_tokens: usage.outputTokens,
    output_tokens_details: { thinking_tokens: thinkingTokens },
    ...bill,
  }
}
