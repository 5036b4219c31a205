import type { JsonNode, JsonTree } from '../../core/index.ts'
import { member, stringAt } from '../../core/index.ts'
import { plainShape, toolsMember } from '../body-shape.ts'
import type { BodyShape } from '../body-shape.ts'
import { isOfReply, itemType, listsTools } from './items.ts'

export const responsesShape: BodyShape = {
  ...plainShape,
  messages: 'input',
  isOfReply,
  partsReplies: true,
  system: ['instructions'],
  content: (tree, item) =>
    listsTools(itemType(tree, item))
      ? member(tree, item, 'tools')
      : (member(tree, item, 'content') ?? member(tree, item, 'output')),
  toolsIn: (tree) => toolsMember(tree) ?? additionalTools(tree),
  toolList: namespaceTools,
  blockParts: (tree, block) => namespaceTools(tree, block) ?? member(tree, block, 'content'),
}

/** The tools of the first input item that brings some; current Codex sends all of its tools there. */
function additionalTools(tree: JsonTree): JsonNode | undefined {
  const input = member(tree, tree.root, 'input')
  if (input?.kind !== 'array') return undefined
  for (const item of input.children) {
    const tools = listsTools(stringAt(tree, item, 'type')) ? member(tree, item, 'tools') : undefined
    if (tools?.kind === 'array' && tools.children.length > 0) return tools
  }
  return undefined
}

/** The tools of a namespace, such as those of one MCP server. */
function namespaceTools(tree: JsonTree, tool: JsonNode): JsonNode | undefined {
  if (stringAt(tree, tool, 'type') !== 'namespace') return undefined
  const tools = member(tree, tool, 'tools')
  return tools?.kind === 'array' ? tools : undefined
}
