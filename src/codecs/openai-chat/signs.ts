import type { JsonObject, JsonValue } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { DialectSigns } from '../codec.ts'

export const openaiSigns: DialectSigns = {
  provider: 'openai',
  routes: [
    { method: 'POST', path: '/v1/chat/completions', kind: 'messages' },
    { method: 'GET', path: '/v1/models', kind: 'plain' },
    { method: 'GET', path: '/v1/models/{id}', kind: 'plain' },
  ],
  likeness,
}

const ownRoles: ReadonlySet<unknown> = new Set(['developer', 'tool', 'function'])

function likeness({ tools, messages, max_completion_tokens: most }: JsonObject): 0 | 2 {
  if (most !== undefined || list(tools).some((tool) => tool['function'] !== undefined)) return 2
  const isOwn = (message: JsonObject): boolean => ownRoles.has(message['role']) || message['tool_calls'] !== undefined
  return list(messages).some(isOwn) ? 2 : 0
}

function list(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
