import type { IncomingMessage } from 'node:http'
import { codecFor } from '../../codecs/index.ts'
import type { ProviderRoute } from './open-exchange.ts'

const openai = codecFor('openai-chat')
const anthropic = codecFor('anthropic-messages')

const posts: ReadonlyMap<string, ProviderRoute> = new Map<string, ProviderRoute>([
  ['/v1/chat/completions', { kind: 'messages', codec: openai }],
  ['/v1/messages', { kind: 'messages', codec: anthropic }],
  ['/v1/messages/count_tokens', { kind: 'count-tokens', codec: anthropic }],
])

const models = /^\/v1\/models(?:\/[^/]+)?$/

/** The route of a request that a provider answers; undefined for those that we answer ourselves. */
export function providerRoute({ method, url = '/', headers }: IncomingMessage): ProviderRoute | undefined {
  const query = url.indexOf('?')
  const path = query < 0 ? url : url.slice(0, query)
  if (method === 'POST') return posts.get(path)
  if (method !== 'GET' || !models.test(path)) return undefined
  return { kind: 'plain', codec: headers['anthropic-version'] === undefined ? openai : anthropic }
}
