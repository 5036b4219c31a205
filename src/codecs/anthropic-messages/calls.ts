import type { JsonNode, JsonTree } from '../../core/index.ts'
import { member, rawText, stringAt } from '../../core/index.ts'
import type { ArgumentsPlace, CallPlace, CallPlaces } from '../calls/call-places.ts'

/** Blocks of `tool_use`, whose input comes in pieces where a stream has them. */
export const anthropicCalls: CallPlaces = {
  argumentsMember: 'input',
  inRequest: (tree) =>
    (member(tree, tree.root, 'messages')?.children ?? []).flatMap((message, at) =>
      callsIn(tree, member(tree, message, 'content'), `${at}.`),
    ),
  inReply: (tree) => callsIn(tree, member(tree, tree.root, 'content'), ''),
  inStream: () => inEvent,
}

function callsIn(tree: JsonTree, content: JsonNode | undefined, prefix: string): readonly CallPlace[] {
  if (content?.kind !== 'array') return []
  return content.children.flatMap((block, at) => callOf(tree, block, `${prefix}${at}`) ?? [])
}

function callOf(tree: JsonTree, block: JsonNode, key: string): CallPlace | undefined {
  const name = member(tree, block, 'name')
  if (stringAt(tree, block, 'type') !== 'tool_use' || name?.kind !== 'string') return undefined
  const input = member(tree, block, 'input')
  return { key, name, ...(input && { arguments: { node: input, isQuoted: false } }) }
}

function inEvent(tree: JsonTree): readonly CallPlace[] {
  const index = member(tree, tree.root, 'index')
  if (index === undefined) return []
  const key = rawText(tree, index)
  const block = member(tree, tree.root, 'content_block')
  const begun = block && callOf(tree, block, key)
  if (begun) return [isEmpty(begun.arguments) ? withoutArguments(begun) : begun]
  const piece = member(tree, member(tree, tree.root, 'delta'), 'partial_json')
  if (piece?.kind !== 'string') return []
  return [{ key, arguments: { node: piece, isQuoted: true, isPiece: true } }]
}

/** A block begins with an empty input, and tells it in pieces. */
function isEmpty(place: ArgumentsPlace | undefined): boolean {
  return place?.node.children.length === 0
}

function withoutArguments({ key, name }: CallPlace): CallPlace {
  return { key, ...(name && { name }) }
}
