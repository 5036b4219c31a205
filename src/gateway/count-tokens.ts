import type { Context } from 'hono'
import { codecFor } from '../codecs/index.ts'
import { itemTokens } from '../core/index.ts'
import { tokenizerFor } from '../tokens/index.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { overheadTokens } from './overhead-tokens.ts'
import { forwardPlain } from './plain-routes.ts'

/**
 * Counts a request as the client wrote it: the provider's answer where it has one, else our own count. Throws on bad input.
 */
export async function countTokens(parts: GatewayParts, c: Context, body: string): Promise<Response> {
  const { conversation } = codecFor('anthropic-messages').decode({ body })
  const answer = await forwardPlain(parts, c, {
    dialect: 'anthropic-messages',
    model: conversation.model,
    body,
  }).catch(() => undefined)
  if (answer && ![404, 405, 501].includes(answer.status)) return answer
  const { model } = conversation
  const tokenizer = tokenizerFor(model, parts.catalogue)
  const items = conversation.items.reduce((total, item) => total + itemTokens(tokenizer, item), 0)
  return c.json({ input_tokens: items + overheadTokens(conversation, parts.catalogue.info(model), false) })
}
