import type { ReasoningWish, ResponseFormat, Sampling, ToolChoice } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { effortWish } from '../effort/effort.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'
import { booleanAt, numberAt, valueAt } from '../sampling-fields.ts'

export function responsesSampling(body: Field): Sampling {
  return {
    ...optional('temperature', numberAt(body, 'temperature')),
    ...optional('topP', numberAt(body, 'top_p')),
    ...optional('toolChoice', toolChoice(body)),
    ...optional('parallelToolCalls', booleanAt(body, 'parallel_tool_calls')),
    ...optional('responseFormat', responseFormat(body)),
    ...optional('reasoning', reasoningWish(body)),
  }
}

function toolChoice(body: Field): ToolChoice | undefined {
  const choice = valueAt(body, 'tool_choice')
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  return isJsonObject(choice) && typeof choice['name'] === 'string' ? { name: choice['name'] } : undefined
}

function responseFormat(body: Field): ResponseFormat | undefined {
  const text = valueAt(body, 'text')
  const format = isJsonObject(text) ? text['format'] : undefined
  if (!isJsonObject(format)) return undefined
  if (format['type'] === 'json_object') return 'json'
  const { type, name, schema, strict } = format
  if (type !== 'json_schema' || schema === undefined) return undefined
  return {
    schema,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}

function reasoningWish(body: Field): ReasoningWish | undefined {
  const reasoning = valueAt(body, 'reasoning')
  return isJsonObject(reasoning) ? effortWish(reasoning['effort']) : undefined
}
