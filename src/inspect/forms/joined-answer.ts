import type { JsonObject, JsonValue } from '../../core/index.ts'

/** Two messages of the assistant as one: in some dialects an answer stands in several elements. */
export function joinedAnswer(one: JsonObject, other: JsonObject): JsonObject {
  const listOf = (name: string): readonly JsonValue[] =>
    [one[name], other[name]].flatMap((list) => (Array.isArray(list) ? list : []))
  const calls = listOf('tool_calls')
  return { ...one, content: listOf('content'), ...(calls.length > 0 && { tool_calls: calls }) }
}
