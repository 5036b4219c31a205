import type { Exchange } from '../core/index.ts'
import type { ModelInfo } from '../tokens/index.ts'
import type { LiveState } from './live-state.ts'
import type { HiddenTool } from './tools/hidden-tool.ts'

export interface OfferContext {
  readonly state: LiveState
  readonly exchange: Exchange
  readonly info: ModelInfo
  readonly nowMs: number
}

/**
 * Those of our tools that a request offers. A tool comes with a session's first request or with a cold cache, and stays:
 * tools are the first thing in a cache.
 */
export function offeredTools(tools: readonly HiddenTool[], context: OfferContext): readonly HiddenTool[] {
  const { state, exchange } = context
  const taken = new Set(exchange.conversation.tools.map(({ name }) => name))
  const free = tools.filter(({ definition }) => !taken.has(definition.name))
  const stay = free.filter(({ definition }) => state.offeredTools.includes(definition.name))
  if (!exchange.wire.acceptsTool) return stay.length > 0 && keepsTools(exchange) ? stay : []
  return isCold(context) ? free : stay
}

function isCold({ state, info, nowMs }: OfferContext): boolean {
  const lastMs = state.ledger?.lastRequestMs
  return lastMs === undefined || nowMs - lastMs > (info.cache.ttlMs[0] ?? 0)
}

/** A request that forces or forbids a tool keeps ours, so that its bytes stay; one for several answers cannot have it. */
function keepsTools({ wire, conversation }: Exchange): boolean {
  const { n } = JSON.parse(wire.body) as { readonly n?: unknown }
  return conversation.tools.length > 0 && (n === undefined || n === null || n === 1)
}

/** The exchange, which takes tools of ours that a session has offered before even where it would take no new ones. */
export function accepting(exchange: Exchange, tools: readonly HiddenTool[]): Exchange {
  if (tools.length === 0 || exchange.wire.acceptsTool) return exchange
  return { ...exchange, wire: { ...exchange.wire, acceptsTool: true } }
}
