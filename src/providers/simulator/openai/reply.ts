import type { JsonObject } from '../../../core/index.ts'
import type { Completion, StopKind } from '../dialect.ts'
import type { AnswerPart } from '../script.ts'
import { objectOf, objectsOf, textOf } from '../read-json.ts'
import { choicesOf } from './choices.ts'
import { toolName } from './message.ts'
import { showsReasoning } from './reasoning.ts'

const finishReasons: { readonly [Kind in StopKind]: string } = {
  'end': 'stop',
  'length': 'length',
  'tool-calls': 'tool_calls',
  'stop-sequence': 'stop',
  'refusal': 'stop',
  'context-window': 'length',
}

export const refusalText = "I'm sorry, I can't help with that."

export function finishReason(completion: Completion): string {
  return finishReasons[completion.stop]
}

export function openaiMessage(completion: Completion): JsonObject {
  const { parts, stop, call } = completion
  const text = joined(parts, 'text')
  const calls = toolCalls(completion)
  if (call.model.provider === 'deepseek') return deepseekMessage(completion)
  return {
    role: 'assistant',
    content: text === '' && (calls.length > 0 || stop === 'refusal') ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    refusal: stop === 'refusal' ? refusalText : null,
    annotations: [],
  }
}

/** DeepSeek has no refusals beside what is said, and numbers its calls. */
function deepseekMessage(completion: Completion): JsonObject {
  const { parts, stop, call } = completion
  const calls = toolCalls(completion)
  return {
    role: 'assistant',
    content: stop === 'refusal' ? refusalText : joined(parts, 'text'),
    ...(showsReasoning(call) ? { reasoning_content: joined(parts, 'thinking') } : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((called, index) => ({ index, ...called })) }),
  }
}

export function joined(parts: readonly AnswerPart[], type: 'text' | 'thinking'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('')
}

export function toolCalls({ parts, call }: Completion): readonly JsonObject[] {
  return parts.flatMap((part): readonly JsonObject[] => {
    if (part.type !== 'tool-call') return []
    const { id = '', name } = part
    return isTextTool(call.body, name)
      ? [{ id, type: 'custom', custom: { name, input: inputText(part) } }]
      : [{ id, type: 'function', function: { name, arguments: argumentsText(part) } }]
  })
}

type CalledTool = AnswerPart & { readonly type: 'tool-call' }

export function argumentsText(part: CalledTool): string {
  return typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments)
}

/** Whether a request offers a tool of this name that takes a text. */
export function isTextTool({ tools }: JsonObject, name: string): boolean {
  return objectsOf(tools).some((tool) => tool['type'] === 'custom' && (toolName(tool) || tool['name']) === name)
}

/** The text of such a call: that of the member `input` where a script says it as it would for a function. */
export function inputText(part: CalledTool): string {
  return textOf(objectOf(part.arguments)['input']) ?? argumentsText(part)
}

export function openaiUsage({ usage, thinkingTokens, call }: Completion): JsonObject {
  const cached = usage.cacheReadTokens ?? 0
  const { provider } = call.model
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details:
      provider === 'openai'
        ? { cached_tokens: cached, cache_write_tokens: usage.cacheWriteTokens ?? 0, audio_tokens: 0 }
        : { cached_tokens: cached },
    ...(provider === 'openai' && { completion_tokens_details: { reasoning_tokens: thinkingTokens, ...noOtherOutput } }),
    ...(showsReasoning(call) && { completion_tokens_details: { reasoning_tokens: thinkingTokens } }),
    ...(provider === 'deepseek'
      ? { prompt_cache_hit_tokens: cached, prompt_cache_miss_tokens: usage.inputTokens - cached }
      : {}),
  }
}

const noOtherOutput = { audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 }

export function openaiCompletion(completion: Completion): JsonObject {
  const said = { message: openaiMessage(completion), logprobs: null, finish_reason: finishReason(completion) }
  return {
    ...envelope(completion, 'chat.completion'),
    choices: Array.from({ length: choicesOf(completion.call) }, (_, index) => ({ index, ...said })),
    usage: openaiUsage(completion),
  }
}

export function envelope({ id, createdMs, call }: Completion, object: string): JsonObject {
  return {
    id,
    object,
    created: Math.floor(createdMs / 1000),
    model: call.model.id,
    ...(call.model.provider === 'openai' && { service_tier: 'default' }),
    system_fingerprint: 'fp_simulated',
  }
}
