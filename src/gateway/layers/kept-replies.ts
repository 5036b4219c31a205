import type { GatewayParts } from '../parts.ts'
import { layeredRequest } from '../exchange/exchange.ts'
import type { Layer } from '../exchange/layer.ts'

/**
 * Has what goes on from a reply that the provider keeps go on from its end, and answer there what was asked of us, where the
 * session has not seen to that: counts, compactions, and requests that it leaves as they came.
 */
export function keptRepliesLayer({ sessions }: Pick<GatewayParts, 'sessions'>): Layer {
  return {
    name: 'kept-replies',
    failure: 'open',
    appliesTo: ({ wire, body, unread }) => wire.continues !== undefined && body === undefined && !unread,
    handle: async (exchange, next) => {
      const { codec, tenant } = exchange
      const { wire, conversation } = layeredRequest(exchange)
      const { before } = await sessions.belonging(tenant, { wire, conversation })
      const { body, placed } = codec.restore(wire.body, before?.hidden ?? [])
      if (placed.length === 0) return next(exchange)
      return next({ ...exchange, body: codec.encode(codec.decode({ ...wire, body }), {}) })
    },
  }
}
