import { compareCodeUnits } from '../core/index.ts'
import type { WireExchange } from '../core/index.ts'
import type { ModelInfo } from '../tokens/index.ts'
import type { LiveState } from './live-state.ts'
import type { HiddenTool } from './tools/hidden-tool.ts'

export interface ToolsAsked {
  readonly state: LiveState
  readonly exchange: WireExchange
  readonly info: ModelInfo
  readonly nowMs: number
  /** Whether a tool wants to be offered; all do where absent. */
  readonly wants?: (tool: HiddenTool) => boolean
}

/** What a request may offer of our tools. */
export interface ToolOffer {
  /** Offered in any case. */
  readonly now: readonly HiddenTool[]
  /** Tools that bring back what is left out: they come in with the first form that needs them. */
  readonly ifNeeded: readonly HiddenTool[]
  /** In the order in which they stand, with those that were needed or without. */
  readonly tools: (areNeeded: boolean) => readonly HiddenTool[]
  /** Names of those that the session has had, and has no more. */
  readonly gone: readonly string[]
}

/**
 * Those of our tools that a request offers. Tools are the first thing in a cache: one comes with a session's first request, with a cold
 * cache, or, where it brings back what is left out, when the compile needs it and has paid for it; and stays, where it stood, until the
 * cache is cold again. A tool that does not want to be offered any more goes then, unless the conversation holds calls of it. New ones come
 * after those that stay, by their ids.
 */
export function offeredTools(tools: readonly HiddenTool[], asked: ToolsAsked): ToolOffer {
  const { state, exchange, wants = () => true } = asked
  const taken = new Set(exchange.conversation.tools.map(({ name }) => name))
  const free = tools.filter(({ definition }) => !taken.has(definition.name))
  const had = state.offeredTools.flatMap((name) => free.find(({ definition }) => definition.name === name) ?? [])
  // A request that forces or forbids a tool keeps ours, so that its bytes stay.
  if (!exchange.wire.acceptsTool) return offer({ stay: exchange.wire.keepsTool ? had : [] })
  const mayChange = isCold(asked)
  const stay = mayChange ? had.filter((tool) => isCalled(tool, exchange) || wants(tool)) : had
  const others = free.filter((tool) => !had.includes(tool))
  return offer({
    stay,
    fresh: mayChange ? others.filter((tool) => tool.bringsBack !== true && wants(tool)) : [],
    ifNeeded: others.filter((tool) => tool.bringsBack === true && wants(tool)),
    gone: had.flatMap((tool) => (stay.includes(tool) ? [] : [tool.definition.name])),
  })
}

function isCalled({ definition }: HiddenTool, { conversation }: WireExchange): boolean {
  return conversation.items.some(({ kind, toolName }) => kind === 'tool-call' && toolName === definition.name)
}

interface Offer extends Partial<Pick<ToolOffer, 'ifNeeded' | 'gone'>> {
  readonly stay: readonly HiddenTool[]
  readonly fresh?: readonly HiddenTool[]
}

function offer({ stay, fresh = [], ifNeeded = [], gone = [] }: Offer): ToolOffer {
  const tools = (areNeeded: boolean): readonly HiddenTool[] => [
    ...stay,
    ...byId([...fresh, ...(areNeeded ? ifNeeded : [])]),
  ]
  return { now: tools(false), ifNeeded, tools, gone }
}

/** Never by the order in which a host has listed them: another process may list them in another. */
function byId(tools: readonly HiddenTool[]): readonly HiddenTool[] {
  return tools.toSorted((one, other) => compareCodeUnits(one.definition.name, other.definition.name))
}

/** Whether nothing of a conversation is in a provider's cache any more. */
export function isCold({ state, info, nowMs }: Pick<ToolsAsked, 'state' | 'info' | 'nowMs'>): boolean {
  const lastMs = state.ledger?.lastRequestMs
  return lastMs === undefined || nowMs - lastMs > (info.cache.ttlMs[0] ?? 0)
}
