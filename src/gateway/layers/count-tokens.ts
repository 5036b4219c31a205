import { isPrehendError } from '../../core/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import { wholeReply } from '../outlet/reply.ts'
import { tokensOf } from '../recording/unsent-cost.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Layer } from '../exchange/layer.ts'

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
  const tokens = tokensOf(catalogue, conversation)
  return wholeReply({ text: codec.tokenCount?.(tokens) ?? JSON.stringify({ input_tokens: tokens }) })
}
