import { PrehendError } from '../../core/index.ts'
import { refusedFor } from '../../sessions/index.ts'
import { routeTest } from '../access/allowed-routes.ts'
import type { Exchange } from '../exchange/exchange.ts'

type Searched = Pick<Exchange, 'kind' | 'unread' | 'settings'> & Partial<Pick<Exchange, 'method' | 'wire' | 'received'>>

/**
 * What nobody can read is not sent under a policy that lets nothing pass unsearched; neither is a request whose thread was ended while it packed. Throws why
 * it cannot be read, where that is the client's to know.
 */
export function requireSearchable(exchange: Searched): void {
  const { kind, unread, settings } = exchange
  requireNoWayRound(exchange)
  if (!unread || kind !== 'messages' || settings.mode !== 'on') return
  const refused = refusedFor(settings, unread)
  if (refused) throw unread.code === 'internal' ? refused : unread
}

/** Routes whose texts no model follows. */
const withoutOrders = routeTest([
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/rerank',
  '/v1/images/*',
  '/v1/audio/*',
  '/v1beta/models/*:embedContent',
  '/v1beta/models/*:batchEmbedContents',
])

/** A policy that defends and is pinned holds for all that a model reads, whatever the route: what is not searched is not sent. */
function requireNoWayRound({ kind, settings, method = 'POST', wire, received }: Searched): void {
  if (settings.isPolicyPinned !== true || (kind !== 'forward' && kind !== 'plain')) return
  if (received?.bytes === undefined && received?.upload === undefined) return
  if (wire === undefined || withoutOrders(method, wire.path)) return
  const remedy = 'Use a route for conversations.'
  const unsearched = new PrehendError('forbidden', `This route is not searched for injected orders. ${remedy}`, {
    remedy,
  })
  if (refusedFor(settings, unsearched)) throw unsearched
}
