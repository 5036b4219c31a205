import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { compareCodeUnits, isJsonObject } from '../../../core/index.ts'

/** Of a call, who made it is told in replies, and few clients send it back. */
const uncounted = new Set(['cache_control', 'caller'])

/**
 * A block as the provider reads it: markers and absent members do not count, nor does the order of its own members;
 * the order inside them (tool inputs, schemas) does.
 */
export function canonicalBlock(block: JsonObject): string {
  const members = Object.entries(block)
    .filter(([key, value]) => !uncounted.has(key) && value !== null)
    .toSorted(([a], [b]) => compareCodeUnits(a, b))
    .map(([key, value]) => [key, key === 'content' ? unmarked(value) : value])
  return JSON.stringify(Object.fromEntries(members))
}

/** The content of a tool result without the markers in it. */
function unmarked(content: JsonValue): JsonValue {
  if (!Array.isArray(content)) return content
  return content.map((inner: JsonValue) => {
    if (!isJsonObject(inner) || inner['cache_control'] === undefined) return inner
    const { cache_control: _, ...rest } = inner as Record<string, JsonValue>
    return rest
  })
}
