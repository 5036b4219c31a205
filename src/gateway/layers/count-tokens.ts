import { isPrehendError, itemTokens } from '../../core/index.ts'
import { conversationOverhead, tokenizerFor } from '../../tokens/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import { wholeReply } from '../outlet/reply.ts'
import type { Exchange } from './exchange.ts'
import type { Layer } from './layer.ts'

/** Counts a request where its provider cannot: as the client wrote it, and as the layers before have left it. */
export function countTokensLayer(catalogueOf: (tenant: string) => ModelCatalogue): Layer {
  return {
    name: 'count-tokens',
    failure: 'open',
    appliesTo: ({ kind, unread }) => kind === 'count-tokens' && !unread,
    handle: async (exchange, next) => {
      try {
        const reply = await next(exchange)
        return noSuchRoute.has(reply.status) ? ownCount(catalogueOf(exchange.tenant), exchange) : reply
      } catch (error) {
        if (!isPrehendError(error) || !error.code.startsWith('upstream-')) throw error
        return ownCount(catalogueOf(exchange.tenant), exchange)
      }
    },
  }
}

const noSuchRoute: ReadonlySet<number> = new Set([404, 405, 501])

function ownCount(catalogue: ModelCatalogue, { conversation, codec }: Exchange): ReturnType<typeof wholeReply> {
  const { model, items } = conversation
  const tokenizer = tokenizerFor(model, catalogue)
  const total = items.reduce((sum, item) => sum + itemTokens(tokenizer, item), 0)
  const tokens = total + conversationOverhead(conversation, catalogue.info(model))
  return wholeReply({ text: codec.tokenCount?.(tokens) ?? JSON.stringify({ input_tokens: tokens }) })
}
