import type { JsonObject, ResponseFormat, Sampling, ToolChoice } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'
import { numberAt, stringsAt, valueAt } from '../sampling-fields.ts'
import { thinkingWish } from './thinking.ts'

/** Members of a body that a conversation holds. */
export const anthropicCarried: ReadonlySet<string> = new Set([
  'model',
  'system',
  'messages',
  'tools',
  'stream',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'tool_choice',
  'output_config.format',
])

export function anthropicSampling(body: Field): Sampling {
  const value = valueAt(body, 'tool_choice')
  const choice = isJsonObject(value) ? value : {}
  const single = choice['disable_parallel_tool_use']
  return {
    ...optional('temperature', numberAt(body, 'temperature')),
    ...optional('topP', numberAt(body, 'top_p')),
    ...optional('topK', numberAt(body, 'top_k')),
    ...optional('stop', stringsAt(body, 'stop_sequences')),
    ...optional('toolChoice', toolChoice(choice)),
    ...optional('parallelToolCalls', typeof single === 'boolean' ? !single : undefined),
    ...optional('responseFormat', responseFormat(body)),
    ...optional('reasoning', thinkingWish(body)),
  }
}

function toolChoice(choice: JsonObject): ToolChoice | undefined {
  switch (choice['type']) {
    case 'auto':
    case 'none':
      return choice['type']
    case 'any':
      return 'required'
    case 'tool':
      return typeof choice['name'] === 'string' ? { name: choice['name'] } : undefined
    default:
      return undefined
  }
}

function responseFormat(body: Field): ResponseFormat | undefined {
  const output = valueAt(body, 'output_config')
  const format = isJsonObject(output) ? output['format'] : undefined
  const schema = isJsonObject(format) && format['type'] === 'json_schema' ? format['schema'] : undefined
  return schema === undefined ? undefined : { schema }
}
