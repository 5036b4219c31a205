import { objectsOf } from '../json-members.ts'
import type { JsonObject } from '../../core/index.ts'
import type { DialectSigns } from '../codec.ts'

export const openaiSigns: DialectSigns = {
  provider: 'openai',
  routes: [
    { method: 'POST', path: '/v1/chat/completions', kind: 'messages' },
    { method: 'GET', path: '/v1/models', kind: 'plain' },
    { method: 'GET', path: '/v1/models/{id}', kind: 'plain' },
  ],
  modelList: {
    member: 'data',
    name: 'id',
    hasMore: () => false,
    entry: (id) => ({ id, object: 'model', created: 0, owned_by: 'prehend' }),
  },
  likeness,
}

const ownRoles: ReadonlySet<unknown> = new Set(['developer', 'tool', 'function'])

function likeness({ tools, messages, max_completion_tokens: most }: JsonObject): 0 | 2 {
  if (most !== undefined || objectsOf(tools).some((tool) => tool['function'] !== undefined)) return 2
  const isOwn = (message: JsonObject): boolean => ownRoles.has(message['role']) || message['tool_calls'] !== undefined
  return objectsOf(messages).some(isOwn) ? 2 : 0
}
