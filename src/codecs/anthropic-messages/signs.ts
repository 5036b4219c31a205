import type { JsonObject, JsonValue } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { DialectSigns } from '../codec.ts'

export const anthropicSigns: DialectSigns = {
  provider: 'anthropic',
  routes: [
    { method: 'POST', path: '/v1/messages', kind: 'messages' },
    { method: 'POST', path: '/v1/messages/count_tokens', kind: 'count-tokens' },
    { method: 'GET', path: '/v1/models', kind: 'plain' },
    { method: 'GET', path: '/v1/models/{id}', kind: 'plain' },
  ],
  header: 'anthropic-version',
  headerValue: '2023-06-01',
  credential: 'x-api-key',
  likeness,
}

const ownBlocks: ReadonlySet<unknown> = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking'])

function likeness({ model, system, tools, messages }: JsonObject): 0 | 1 | 2 {
  if (system !== undefined || list(tools).some((tool) => tool['input_schema'] !== undefined)) return 2
  const blocks = list(messages).flatMap((message) => list(message['content']))
  if (blocks.some((block) => ownBlocks.has(block['type']))) return 2
  return typeof model === 'string' && /claude/i.test(model) ? 1 : 0
}

function list(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
