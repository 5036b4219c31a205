import { compareCodeUnits } from '../core/index.ts'
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
 * Those of our tools that a request offers. A tool comes with a session's first request or with a cold cache, and stays, where it stood:
 * tools are the first thing in a cache. New ones come after those, by their ids.
 */
export function offeredTools(tools: readonly HiddenTool[], context: OfferContext): readonly HiddenTool[] {
  const { state, exchange } = context
  const taken = new Set(exchange.conversation.tools.map(({ name }) => name))
  const free = tools.filter(({ definition }) => !taken.has(definition.name))
  const stay = state.offeredTools.flatMap((name) => free.find(({ definition }) => definition.name === name) ?? [])
  // A request that forces or forbids a tool keeps ours, so that its bytes stay.
  if (!exchange.wire.acceptsTool) return exchange.wire.keepsTool ? stay : []
  return isCold(context) ? [...stay, ...byId(free.filter((tool) => !stay.includes(tool)))] : stay
}

/** Never by the order in which a host has listed them: another process may list them in another. */
function byId(tools: readonly HiddenTool[]): readonly HiddenTool[] {
  return tools.toSorted((one, other) => compareCodeUnits(one.definition.name, other.definition.name))
}

function isCold({ state, info, nowMs }: OfferContext): boolean {
  const lastMs = state.ledger?.lastRequestMs
  return lastMs === undefined || nowMs - lastMs > (info.cache.ttlMs[0] ?? 0)
}
