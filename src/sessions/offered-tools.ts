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

/** What a request may offer of our tools. */
export interface ToolOffer {
  /** Offered in any case. */
  readonly now: readonly HiddenTool[]
  /** Tools that bring back what is left out: they come in with the first form that needs them. */
  readonly ifNeeded: readonly HiddenTool[]
  /** In the order in which they stand, with those that were needed or without. */
  readonly tools: (areNeeded: boolean) => readonly HiddenTool[]
}

/**
 * Those of our tools that a request offers. Tools are the first thing in a cache: one comes with a session's first request, with a cold
 * cache, or, where it brings back what is left out, when the compile needs it and has paid for it; and stays, where it stood. New ones
 * come after those, by their ids.
 */
export function offeredTools(tools: readonly HiddenTool[], context: OfferContext): ToolOffer {
  const { state, exchange } = context
  const taken = new Set(exchange.conversation.tools.map(({ name }) => name))
  const free = tools.filter(({ definition }) => !taken.has(definition.name))
  const stay = state.offeredTools.flatMap((name) => free.find(({ definition }) => definition.name === name) ?? [])
  // A request that forces or forbids a tool keeps ours, so that its bytes stay.
  if (!exchange.wire.acceptsTool) return offer(exchange.wire.keepsTool ? stay : [])
  const others = free.filter((tool) => !stay.includes(tool))
  const fresh = isCold(context) ? others.filter(({ bringsBack }) => bringsBack !== true) : []
  return offer(
    stay,
    fresh,
    others.filter(({ bringsBack }) => bringsBack === true),
  )
}

function offer(
  stay: readonly HiddenTool[],
  fresh: readonly HiddenTool[] = [],
  ifNeeded: readonly HiddenTool[] = [],
): ToolOffer {
  const tools = (areNeeded: boolean): readonly HiddenTool[] => [
    ...stay,
    ...byId([...fresh, ...(areNeeded ? ifNeeded : [])]),
  ]
  return { now: tools(false), ifNeeded, tools }
}

/** Never by the order in which a host has listed them: another process may list them in another. */
function byId(tools: readonly HiddenTool[]): readonly HiddenTool[] {
  return tools.toSorted((one, other) => compareCodeUnits(one.definition.name, other.definition.name))
}

function isCold({ state, info, nowMs }: OfferContext): boolean {
  const lastMs = state.ledger?.lastRequestMs
  return lastMs === undefined || nowMs - lastMs > (info.cache.ttlMs[0] ?? 0)
}
