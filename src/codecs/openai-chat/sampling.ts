import type { ReasoningWish, ResponseFormat, Sampling, ToolChoice } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { effortWish, tokensWish } from '../effort/effort.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'
import { booleanAt, numberAt, stringsAt, valueAt } from '../sampling-fields.ts'

/** Members of a body that a conversation holds. */
export const openaiCarried: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'tools',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'stop',
  'seed',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
])

/** Those that say how much the model is to think: OpenAI's, and OpenRouter's own. */
export const openaiReasoning: ReadonlySet<string> = new Set([
  'reasoning_effort',
  'reasoning.effort',
  'reasoning.max_tokens',
])

export function openaiSampling(body: Field): Sampling {
  return {
    ...optional('temperature', numberAt(body, 'temperature')),
    ...optional('topP', numberAt(body, 'top_p')),
    ...optional('stop', stringsAt(body, 'stop')),
    ...optional('seed', numberAt(body, 'seed')),
    ...optional('toolChoice', toolChoice(body)),
    ...optional('parallelToolCalls', booleanAt(body, 'parallel_tool_calls')),
    ...optional('responseFormat', responseFormat(body)),
    ...optional('reasoning', reasoningWish(body)),
  }
}

function toolChoice(body: Field): ToolChoice | undefined {
  const choice = valueAt(body, 'tool_choice')
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  const named = isJsonObject(choice) ? (choice['function'] ?? choice['custom']) : undefined
  return isJsonObject(named) && typeof named['name'] === 'string' ? { name: named['name'] } : undefined
}

function responseFormat(body: Field): ResponseFormat | undefined {
  const format = valueAt(body, 'response_format')
  if (!isJsonObject(format)) return undefined
  if (format['type'] === 'json_object') return 'json'
  const schema = format['json_schema']
  if (format['type'] !== 'json_schema' || !isJsonObject(schema) || schema['schema'] === undefined) return undefined
  const { name, strict } = schema
  return {
    schema: schema['schema'],
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}

function reasoningWish(body: Field): ReasoningWish | undefined {
  const own = valueAt(body, 'reasoning')
  const routed = isJsonObject(own) ? (effortWish(own['effort']) ?? tokensWish(own['max_tokens'])) : undefined
  return effortWish(valueAt(body, 'reasoning_effort')) ?? routed
}
