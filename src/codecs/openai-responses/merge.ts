import type { JsonNode, JsonTree } from '../../core/index.ts'
import { member, rawText, stringAt } from '../../core/index.ts'
import type { HiddenToolNames } from '../codec.ts'
import { scanReply, upstreamBroken } from '../reply-body.ts'
import type { Edit } from '../splice.ts'
import { memberEdits, removeChildren, sortEdits, splice } from '../splice.ts'

/** The last response of a client request with the items of all before it: from its id the client can go on, for it holds what led to it. */
export function mergeReplies(bodies: readonly string[], hiddenTools: HiddenToolNames): string {
  const trees = bodies.map((body) => scanReply(body))
  const outputs = trees.map((tree) => ({ tree, output: outputOf(tree) }))
  const last = trees.at(-1)
  if (last === undefined) throw upstreamBroken('is missing')
  const before = outputs.slice(0, -1).flatMap(({ tree, output }) => visibleItems(tree, output, hiddenTools))
  return shownResponse(last, last.root, { before, hiddenTools })
}

function outputOf(tree: JsonTree): JsonNode {
  const output = member(tree, tree.root, 'output')
  if (output?.kind !== 'array') throw upstreamBroken('has no output')
  return output
}

/** Whether an item is a call of a tool by its name. */
export function isNamed(type: unknown): boolean {
  return type === 'function_call' || type === 'custom_tool_call'
}

export function isOurs(tree: JsonTree, item: JsonNode, hiddenTools: HiddenToolNames): boolean {
  return isNamed(stringAt(tree, item, 'type')) && hiddenTools.has(stringAt(tree, item, 'name') ?? '')
}

/** The raw items of a list that the client sees. */
export function visibleItems(
  tree: JsonTree,
  list: JsonNode | undefined,
  hiddenTools: HiddenToolNames,
): readonly string[] {
  const items = list?.children ?? []
  return items.filter((item) => !isOurs(tree, item, hiddenTools)).map((item) => rawText(tree, item))
}

interface Shown {
  /** Raw items of the responses before. */
  readonly before: readonly string[]
  readonly hiddenTools: HiddenToolNames
  /** By what name the client knows it, where that is another: a stream keeps to the one that it began with. */
  readonly id?: string | undefined
}

/** The text in which a response stands, with that response as the client is to see it: neither calls nor tools of ours. */
export function shownResponse(tree: JsonTree, response: JsonNode, shown: Shown): string {
  const { hiddenTools, id } = shown
  const edits = [
    ...outputEdits(tree, response, shown),
    ...toolEdits(tree, response, hiddenTools),
    ...(id === undefined ? [] : memberEdits(tree, response, [['id', JSON.stringify(id)]])),
  ]
  return splice(tree.text, sortEdits(edits))
}

function outputEdits(tree: JsonTree, response: JsonNode, { before, hiddenTools }: Shown): readonly Edit[] {
  const output = member(tree, response, 'output')
  if (output?.kind !== 'array') return []
  const items = visibleItems(tree, output, hiddenTools)
  if (before.length === 0 && items.length === output.children.length) return []
  return [{ start: output.start, end: output.end, text: `[${[...before, ...items].join(',')}]` }]
}

/** A response repeats the tools that it could call. */
function toolEdits(tree: JsonTree, response: JsonNode, hiddenTools: HiddenToolNames): readonly Edit[] {
  const tools = member(tree, response, 'tools')
  if (tools?.kind !== 'array') return []
  return removeChildren(tools, (index) => {
    const tool = tools.children[index]
    return tool !== undefined && hiddenTools.has(stringAt(tree, tool, 'name') ?? '')
  })
}
