import type { WireExchange, ToolDefinition } from '../../core/index.ts'
import type { Codec } from '../../codecs/index.ts'

/**
 * A request with its functions in the order of the request before, and new ones behind them: a provider's cache begins with them,
 * and nobody means anything by their order. Where the client marks one of them, the order is its own affair.
 */
export function withToolsInOrder(codec: Codec, received: WireExchange, last: WireExchange | undefined): WireExchange {
  const { conversation, wire } = received
  const { tools } = conversation
  if (last === undefined || isSameOrder(tools, last.conversation.tools)) return received
  const order = inOrder(tools, last.conversation.tools)
  if (order === undefined) return received
  const schemas = new Set(conversation.items.flatMap(({ id, kind }) => (kind === 'tool-schema' ? [id] : [])))
  if (wire.markers.some(({ itemId }) => schemas.has(itemId))) return received
  return codec.decode({ path: wire.path, headers: wire.headers, body: codec.orderTools(received, order) }, last)
}

type Tools = readonly ToolDefinition[]

function isSameOrder(tools: Tools, before: Tools): boolean {
  if (tools === before) return true
  return tools.length === before.length && tools.every(({ name }, index) => name === before[index]?.name)
}

/** Undefined where they stand in that order already, or one name stands for several. */
function inOrder(tools: Tools, before: Tools): readonly string[] | undefined {
  const names = tools.map(({ name }) => name)
  const known = before.map(({ name }) => name)
  const left = new Set(names)
  if (left.size !== names.length || new Set(known).size !== known.length) return undefined
  const isKnown = new Set(known)
  const order = [...known.filter((name) => left.has(name)), ...names.filter((name) => !isKnown.has(name))]
  return order.every((name, index) => name === names[index]) ? undefined : order
}
