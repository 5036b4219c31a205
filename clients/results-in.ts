import type { JsonValue } from '../src/core/index.ts'
import { isJsonObject } from '../src/core/index.ts'

/** The texts of all results of tools that a request shows, in whatever dialect, in their order. */
export function resultsIn(value: JsonValue | undefined): readonly string[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(resultsIn)
  if (!isJsonObject(value)) return []
  const { role, type, content, output, functionResponse } = value
  if (role === 'tool' || type === 'tool_result') return [textIn(content)]
  if (type === 'function_call_output') return [textIn(output)]
  if (isJsonObject(functionResponse)) return [textIn(functionResponse['response'])]
  return Object.values(value).flatMap(resultsIn)
}

/** A text, or all texts of blocks or of members. */
function textIn(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(textIn).join('')
  if (!isJsonObject(value)) return ''
  const { text } = value
  return text === undefined ? Object.values(value).map(textIn).join('') : textIn(text)
}
