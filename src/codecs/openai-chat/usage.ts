import type { JsonValue, Usage } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { optional } from '../optional.ts'
import { figure, sum } from '../reply-body.ts'

/** Usage of a completion. `prompt_tokens` holds cached and written tokens already; DeepSeek names its hits differently, Alibaba its writes. */
export function openaiUsage(usage: JsonValue | undefined): Usage | undefined {
  const input = figure(usage, 'prompt_tokens')
  const output = figure(usage, 'completion_tokens')
  if (!isJsonObject(usage) || (input === undefined && output === undefined)) return undefined
  const details = usage['prompt_tokens_details']
  const read = figure(details, 'cached_tokens') ?? figure(usage, 'prompt_cache_hit_tokens')
  const written = figure(details, 'cache_write_tokens') ?? figure(details, 'cache_creation_input_tokens')
  const writes = isJsonObject(details) ? details['cache_write_tokens_details'] : undefined
  return {
    inputTokens: sum(input),
    outputTokens: sum(output),
    ...optional('cacheReadTokens', read),
    ...optional('cacheWriteTokens', written),
    ...optional('cacheWriteLongTokens', figure(writes, 'ttl_12h_tokens')),
    ...optional('reasoningTokens', figure(usage['completion_tokens_details'], 'reasoning_tokens')),
  }
}
