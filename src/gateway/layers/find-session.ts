import type { WireExchange } from '../../core/index.ts'
import type { GatewayParts } from '../parts.ts'
import { layeredRequest } from '../exchange/exchange.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { FoundSession } from '../exchange/found-session.ts'

/** Finds the session of a request, with the lane of its conversation. Rejects where the store cannot be read. */
export async function findSession(
  { sessions }: Pick<GatewayParts, 'sessions'>,
  exchange: Exchange,
  layered = layeredRequest(exchange),
): Promise<FoundSession> {
  if (exchange.session !== undefined) return exchange.session
  const { tenant, wire, conversation, settings } = exchange
  const { scope, ...found } = await sessions.belonging(tenant, layered)
  const isObserved = settings.mode === 'observe' || layered.wire.unplanned !== undefined
  const lane = isObserved ? { ...scope, lane: `${scope.lane ?? ''}.observe` } : scope
  return { ...found, scope: lane, isObserved, layered, of: { wire, conversation } }
}

/**
 * The exchange with its session, which all layers after it see: for a layer that keeps something for each session. Without one where the
 * gateway asks for itself.
 */
export async function inSession(exchange: Exchange): Promise<Exchange> {
  if (exchange.session !== undefined || exchange.findSession === undefined) return exchange
  return { ...exchange, session: await exchange.findSession(exchange) }
}

/** The request as the layers have made it by now. */
export function layeredNow(exchange: Exchange): WireExchange {
  const { session, wire, conversation } = exchange
  const isSame = session?.of.conversation === conversation && session.of.wire === wire
  return isSame ? session.layered : layeredRequest(exchange)
}
