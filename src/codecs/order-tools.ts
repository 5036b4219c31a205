import type { WireExchange } from '../core/index.ts'
import { rawText } from '../core/index.ts'
import { treeOf } from './decoded-state.ts'
import { toolPlaces } from './decode-request.ts'
import { child, requireObject } from './read-field.ts'
import type { RequestReader } from './request-reader.ts'

/**
 * A body with its functions in another order, each as it is written; what is no function stays in its place. `names` are those
 * of all functions, each once.
 */
export function orderTools(reader: RequestReader, exchange: WireExchange, names: readonly string[]): string {
  const tree = treeOf(exchange)
  const tools = child(requireObject({ tree, node: tree.root, path: '' }), 'tools')
  if (!tools) return exchange.wire.body
  const functions = toolPlaces(reader.shape, tools).flatMap(({ tool, place }) => {
    const { definition } = reader.readTool(tool, place)
    return definition ? [{ name: definition.name, node: tool.node, raw: rawText(tree, tool.node) }] : []
  })
  const rawOf = new Map(functions.map(({ name, raw }) => [name, raw]))
  let written = ''
  let end = 0
  for (const [index, { node, raw }] of functions.entries()) {
    written += tree.text.slice(end, node.start) + (rawOf.get(names[index] ?? '') ?? raw)
    end = node.end
  }
  return written + tree.text.slice(end)
}
