import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { objectOf, textOf } from '../read-json.ts'

/** Where a prompt is to be cached: Anthropic's marks and OpenAI's say the same here. */
export interface CacheMark {
  readonly ttl?: string
}

export function markOf(part: JsonObject): CacheMark | undefined {
  const mark = part['cache_control'] ?? part['prompt_cache_breakpoint'] ?? undefined
  if (mark == null) return undefined
  const ttl = textOf(objectOf(mark)['ttl'])
  return ttl === undefined ? {} : { ttl }
}

export function unmarked(part: JsonObject): JsonObject {
  const { cache_control: _, prompt_cache_breakpoint: __, ...rest } = part as Record<string, JsonValue>
  return rest
}

/** As OpenAI takes it. */
export const openaiMark: JsonObject = { prompt_cache_breakpoint: { mode: 'explicit' } }

/** As Anthropic and Alibaba take it. */
export function anthropicMark(part: JsonObject): JsonObject {
  const mark = markOf(part)
  return mark === undefined ? {} : { cache_control: { type: 'ephemeral', ...mark } }
}
