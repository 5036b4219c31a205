import type { JsonValue, Usage } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { optional } from '../optional.ts'
import { figure, sum } from '../reply-body.ts'

/** Usage of a response. `input_tokens` holds cached and written tokens already. */
export function responsesUsage(usage: JsonValue | undefined): Usage | undefined {
  const input = figure(usage, 'input_tokens')
  const output = figure(usage, 'output_tokens')
  if (!isJsonObject(usage) || (input === undefined && output === undefined)) return undefined
  const details = usage['input_tokens_details']
  const writes = isJsonObject(details) ? details['cache_write_tokens_details'] : undefined
  return {
    inputTokens: sum(input),
    outputTokens: sum(output),
    ...optional('cacheReadTokens', figure(details, 'cached_tokens')),
    ...optional('cacheWriteTokens', figure(details, 'cache_write_tokens')),
    ...optional('cacheWriteLongTokens', figure(writes, 'ttl_12h_tokens')),
    ...optional('reasoningTokens', figure(usage['output_tokens_details'], 'reasoning_tokens')),
  }
}
