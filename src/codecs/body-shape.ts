import type { JsonNode, JsonTree } from '../core/index.ts'
import { member, memberIndex, stringAt } from '../core/index.ts'

/** Where the bodies of a dialect have the parts of a conversation, and what they are called there. */
export interface BodyShape {
  /** The member of a body that lists its messages. */
  readonly messages: string
  /** Whether a message is, or is a part of, a reply of the model. */
  isOfReply(tree: JsonTree, message: JsonNode): boolean
  /** Whether one reply may be several messages. */
  readonly partsReplies: boolean
  /** The members of a body for these, by any of the names that they come under. */
  readonly system: readonly string[]
  readonly toolChoice: readonly string[]
  /** What a message says, or what a tool has put out. */
  content(tree: JsonTree, message: JsonNode): JsonNode | undefined
  /** What a system prompt says: a string, or a list of blocks. */
  systemContent(tree: JsonTree, system: JsonNode): JsonNode | undefined
  /** The list that a tool of ours joins: `tools`, or in a dialect that has one, a list that stands in a message. */
  toolsIn(tree: JsonTree): JsonNode | undefined
  /** The definitions that an element of `tools` lists, where it is none itself. */
  toolList(tree: JsonTree, tool: JsonNode): JsonNode | undefined
  /** The parts that a block consists of. */
  blockParts(tree: JsonTree, block: JsonNode): JsonNode | undefined
}

/** The shape that most dialects have. */
export const plainShape: BodyShape = {
  messages: 'messages',
  isOfReply: (tree, message) => stringAt(tree, message, 'role') === 'assistant',
  partsReplies: false,
  system: ['system'],
  toolChoice: ['tool_choice'],
  content: (tree, message) => member(tree, message, 'content'),
  systemContent: (_, system) => system,
  toolsIn: toolsMember,
  toolList: () => undefined,
  blockParts: (tree, block) => member(tree, block, 'content'),
}

/** The member `tools` of a body, where it lists something. */
export function toolsMember(tree: JsonTree): JsonNode | undefined {
  const tools = member(tree, tree.root, 'tools')
  return tools?.kind === 'array' && tools.children.length > 0 ? tools : undefined
}

/** The name, of several that one member comes under, that it has here; the first where it is absent. */
export function nameOf(tree: JsonTree, node: JsonNode, names: readonly string[]): string {
  return names.find((name) => memberIndex(tree, node, name) >= 0) ?? names[0] ?? ''
}

/** The member that comes under any of these names. */
export function memberUnder(tree: JsonTree, node: JsonNode, names: readonly string[]): JsonNode | undefined {
  return member(tree, node, nameOf(tree, node, names))
}

/** The messages of a body, of which there is one where the words of the user stand alone. */
export function messageNodes(tree: JsonTree, { messages }: BodyShape): readonly JsonNode[] {
  const list = member(tree, tree.root, messages)
  return list?.kind === 'string' ? [list] : (list?.children ?? [])
}
