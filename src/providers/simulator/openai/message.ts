import type { JsonObject } from '../../../core/index.ts'
import { objectOf, objectsOf, textOf } from '../read-json.ts'

/** Content parts; a string is one text part, null is none. */
export function contentParts(message: JsonObject): readonly JsonObject[] {
  const { content } = message
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
}

export interface WireCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export function callsOf(message: JsonObject): readonly WireCall[] {
  return objectsOf(message['tool_calls']).map((call) => {
    const called = objectOf(call['function'] ?? call['custom'])
    return {
      id: textOf(call['id']) ?? '',
      name: textOf(called['name']) ?? '',
      arguments: textOf(called['arguments']) ?? textOf(called['input']) ?? '',
    }
  })
}

export function toolName(tool: JsonObject): string {
  return textOf(objectOf(tool['function'] ?? tool['custom'])['name']) ?? ''
}
