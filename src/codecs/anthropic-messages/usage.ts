import type { JsonValue, Usage } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { optional } from '../optional.ts'
import { figure, sum } from '../reply-body.ts'

/** Usage of a message. `input_tokens` leaves out what was cached, and iterations that compacted are billed on top. */
export function anthropicUsage(usage: JsonValue | undefined): Usage | undefined {
  const output = figure(usage, 'output_tokens')
  const input = figure(usage, 'input_tokens')
  if (!isJsonObject(usage) || (input === undefined && output === undefined)) return undefined
  const compactions = compactionsOf(usage['iterations'])
  const read = figure(usage, 'cache_read_input_tokens')
  const written = figure(usage, 'cache_creation_input_tokens')
  const extra = (name: string): number => sum(...compactions.map((iteration) => figure(iteration, name)))
  const total = (value: number | undefined, name: string): number | undefined =>
    value === undefined ? undefined : value + extra(name)
  return {
    inputTokens: sum(input, read, written) + sum(...inputNames.map(extra)),
    outputTokens: sum(output) + extra('output_tokens'),
    ...optional('cacheReadTokens', total(read, 'cache_read_input_tokens')),
    ...optional('cacheWriteTokens', total(written, 'cache_creation_input_tokens')),
    ...optional('cacheWriteLongTokens', longWrites(usage, compactions)),
    ...optional('reasoningTokens', figure(usage['output_tokens_details'], 'thinking_tokens')),
  }
}

const inputNames = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const

function compactionsOf(iterations: JsonValue | undefined): readonly JsonValue[] {
  if (!Array.isArray(iterations)) return []
  const all: readonly JsonValue[] = iterations
  return all.filter((iteration) => isJsonObject(iteration) && iteration['type'] === 'compaction')
}

function longWrites(usage: JsonValue, compactions: readonly JsonValue[]): number | undefined {
  const writes = [usage, ...compactions].map((part) =>
    figure(isJsonObject(part) ? part['cache_creation'] : undefined, 'ephemeral_1h_input_tokens'),
  )
  return writes[0] === undefined ? undefined : sum(...writes)
}
