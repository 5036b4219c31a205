import type { Sampling, ToolChoice } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'
import { booleanAt, numberAt, stringsAt, valueAt } from '../sampling-fields.ts'

export function openaiSampling(body: Field): Sampling {
  return {
    ...optional('temperature', numberAt(body, 'temperature')),
    ...optional('topP', numberAt(body, 'top_p')),
    ...optional('stop', stringsAt(body, 'stop')),
    ...optional('seed', numberAt(body, 'seed')),
    ...optional('toolChoice', toolChoice(body)),
    ...optional('parallelToolCalls', booleanAt(body, 'parallel_tool_calls')),
    ...optional('responseFormat', valueAt(body, 'response_format')),
  }
}

function toolChoice(body: Field): ToolChoice | undefined {
  const choice = valueAt(body, 'tool_choice')
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  const named = isJsonObject(choice) ? (choice['function'] ?? choice['custom']) : undefined
  return isJsonObject(named) && typeof named['name'] === 'string' ? { name: named['name'] } : undefined
}
