import type { JsonNode, JsonTree } from '../../core/index.ts'
import { member, rawText, stringAt } from '../../core/index.ts'
import type { CallPlace, CallPlaces } from '../calls/call-places.ts'

/** Items of type `function_call` without a namespace; a stream tells them in pieces, and then up to three times whole. */
export const responsesCalls: CallPlaces = {
  argumentsMember: 'arguments',
  inRequest: (tree) => callsIn(tree, member(tree, tree.root, 'input')),
  inReply: (tree) => callsIn(tree, member(tree, tree.root, 'output')),
  inStream: () => inEvent,
}

function callsIn(tree: JsonTree, items: JsonNode | undefined): readonly CallPlace[] {
  if (items?.kind !== 'array') return []
  return items.children.flatMap((item, index) => callOf(tree, item, String(index)) ?? [])
}

function callOf(tree: JsonTree, item: JsonNode, key: string): CallPlace | undefined {
  const [name, given] = [member(tree, item, 'name'), member(tree, item, 'arguments')]
  if (stringAt(tree, item, 'type') !== 'function_call' || name?.kind !== 'string') return undefined
  if (member(tree, item, 'namespace')?.kind === 'string') return undefined
  return { key, name, ...argumentsAt(given) }
}

function argumentsAt(node: JsonNode | undefined): Pick<CallPlace, 'arguments'> {
  return node?.kind === 'string' ? { arguments: { node, isQuoted: true } } : {}
}

function inEvent(tree: JsonTree): readonly CallPlace[] {
  const response = member(tree, tree.root, 'response')
  if (response !== undefined) return callsIn(tree, member(tree, response, 'output'))
  const index = member(tree, tree.root, 'output_index')
  if (index === undefined) return []
  const key = rawText(tree, index)
  const item = member(tree, tree.root, 'item')
  if (item !== undefined) return [callOf(tree, item, key)].flatMap((call) => (call ? unlessEmpty(call) : []))
  const type = stringAt(tree, tree.root, 'type')
  const name = member(tree, tree.root, 'name')
  if (type === 'response.function_call_arguments.done')
    return [{ key, ...(name?.kind === 'string' && { name }), ...argumentsAt(member(tree, tree.root, 'arguments')) }]
  const piece = type === 'response.function_call_arguments.delta' ? member(tree, tree.root, 'delta') : undefined
  return piece?.kind === 'string' ? [{ key, arguments: { node: piece, isQuoted: true, isPiece: true } }] : []
}

/** An item begins with empty arguments, and tells them in pieces. */
function unlessEmpty(call: CallPlace): CallPlace {
  const { arguments: given, ...begun } = call
  return given !== undefined && given.node.end - given.node.start === 2 ? begun : call
}
