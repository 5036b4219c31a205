import type { JsonObject } from '../../core/index.ts'
import type { DialectSigns } from '../codec.ts'

export const responsesSigns: DialectSigns = {
  provider: 'openai',
  routes: [
    { method: 'POST', path: '/v1/responses', kind: 'messages' },
    { method: 'POST', path: '/v1/responses/input_tokens', kind: 'count-tokens' },
    { method: 'POST', path: '/v1/responses/compact', kind: 'messages' },
    { method: 'GET', path: '/v1/responses/{id}', kind: 'plain' },
    { method: 'DELETE', path: '/v1/responses/{id}', kind: 'plain' },
    { method: 'GET', path: '/v1/responses/{id}/input_items', kind: 'plain' },
  ],
  likeness,
}

/** Members that no other dialect's bodies have. */
const own = ['input', 'instructions', 'previous_response_id', 'max_output_tokens'] as const

function likeness(body: JsonObject): 0 | 2 {
  return body['messages'] === undefined && own.some((name) => body[name] !== undefined) ? 2 : 0
}
