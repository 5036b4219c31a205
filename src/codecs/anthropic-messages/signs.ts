import { objectsOf } from '../json-members.ts'
import type { JsonObject } from '../../core/index.ts'
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
  modelList: {
    member: 'data',
    name: 'id',
    hasMore: (list) => list['has_more'] === true,
    entry: (id) => ({ type: 'model', id, display_name: id, created_at: '1970-01-01T00:00:00Z' }),
  },
  likeness,
}

const ownBlocks: ReadonlySet<unknown> = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking'])

function likeness({ model, system, tools, messages }: JsonObject): 0 | 1 | 2 {
  if (system !== undefined || objectsOf(tools).some((tool) => tool['input_schema'] !== undefined)) return 2
  const blocks = objectsOf(messages).flatMap((message) => objectsOf(message['content']))
  if (blocks.some((block) => ownBlocks.has(block['type']))) return 2
  return typeof model === 'string' && /claude/i.test(model) ? 1 : 0
}
