import type { JsonNode, JsonTree, ToolDefinition, WireExchange } from '../../core/index.ts'
import { keyAt, member, rawText, scanJson } from '../../core/index.ts'
import { toolPlaces } from '../decode-request.ts'
import { treeOf } from '../decoded-state.ts'
import { child, requireObject } from '../read-field.ts'
import type { RequestDialect } from '../request-writer.ts'
import type { Edit } from '../splice.ts'
import { appendChild, memberEdits, removeChildren, sortEdits, splice, withMembers } from '../splice.ts'
import type { CallPlaces } from './call-places.ts'
import { callEdits } from './rewrite-calls.ts'
import type { RewriteCall } from './rewrite-calls.ts'

/** What becomes of the functions of a request, and of the calls of them. */
export interface Unlisting {
  isListed(name: string): boolean
  /** Stand behind the functions that are listed. */
  readonly added: readonly ToolDefinition[]
  /** Leaves calls as they are where it is absent. */
  readonly rewrite?: RewriteCall
  /** The functions that are not listed stay, for the provider to show them once they are found. */
  readonly defers?: true
  /** All functions and calls stay as they are; a request without tools gets those that are added. */
  readonly isWhole?: true
}

/**
 * The body with the functions that are listed, with others behind them, and with its calls written as others. What is no function stays, and so
 * do functions that a namespace has. Throws where no function stands in `tools`.
 */
export function unlistTools(
  { reader, writer }: RequestDialect,
  exchange: WireExchange,
  { calls, isListed, added, rewrite, defers, isWhole }: Unlisting & { readonly calls: CallPlaces },
): string {
  const tree = treeOf(exchange)
  if (isWhole) return withTools({ reader, writer }, tree, added)
  const tools = child(requireObject({ tree, node: tree.root, path: '' }), 'tools')
  const edits = rewrite ? [...callEdits(tree, calls.inRequest(tree), { ...calls, rewrite })] : []
  if (tools === undefined) return splice(tree.text, sortEdits(edits))
  const unlisted = new Set(
    toolPlaces(reader.shape, tools).flatMap(({ tool, place }) => {
      const { definition } = reader.readTool(tool, place)
      const isFree = definition !== undefined && definition.namespace === undefined
      return isFree && !isListed(definition.name) ? [tool.node] : []
    }),
  )
  const raws = added.map((tool) => writer.toolEdit(tree, tools.node, tool).text.replace(/^,/, ''))
  if (defers) return splice(tree.text, sortEdits(deferEdits({ tree, tools: tools.node }, unlisted, raws)))
  edits.push(
    ...listEdits({ tree, tools: tools.node, lists: listsIn(tree, tools.node, reader.shape.toolList) }, unlisted, raws),
  )
  return splice(tree.text, sortEdits(edits))
}

/** The body with more tools behind those that it has. */
function withTools(
  { reader, writer }: Pick<RequestDialect, 'reader' | 'writer'>,
  tree: JsonTree,
  added: readonly ToolDefinition[],
): string {
  const tools = reader.shape.toolsIn(tree)
  if (tools !== undefined && tools.children.length > 0)
    return splice(
      tree.text,
      added.map((tool) => writer.toolEdit(tree, tools, tool)),
    )
  const list = added.reduce((text, tool) => {
    const empty = scanJson(text)
    return splice(text, [writer.toolEdit(empty, empty.root, tool)])
  }, '[]')
  return splice(tree.text, memberEdits(tree, tree.root, [['tools', list]]))
}

/** Nothing that is deferred may have a mark for the provider's cache. */
function deferEdits(
  { tree, tools }: Pick<Lists, 'tree' | 'tools'>,
  unlisted: ReadonlySet<JsonNode>,
  added: readonly string[],
): readonly Edit[] {
  const deferred = [...unlisted].map((tool): Edit => {
    const { start, end } = tool
    const unmarked = removeChildren(tool, (at) => keyAt(tree, tool, at) === 'cache_control')
    return { start, end, text: withMembers(splice(tree.text, unmarked, start, end), [['defer_loading', 'true']]) }
  })
  return [...deferred, appendChild(tools, withMark(tree, [...unlisted], added).join(','))]
}

/** The lists that hold definitions: `tools` itself, or those in its elements. */
function listsIn(
  tree: JsonTree,
  tools: JsonNode,
  toolList: (tree: JsonTree, tool: JsonNode) => JsonNode | undefined,
): readonly JsonNode[] {
  const inner = tools.children.flatMap((element) => toolList(tree, element) ?? [])
  return inner.length > 0 ? inner : [tools]
}

interface Lists {
  readonly tree: JsonTree
  readonly tools: JsonNode
  readonly lists: readonly JsonNode[]
}

function listEdits(
  { tree, tools, lists }: Lists,
  unlisted: ReadonlySet<JsonNode>,
  added: readonly string[],
): readonly Edit[] {
  const marked = withMark(tree, [...unlisted], added)
  const [first, ...others] = lists
  const emptied = others.filter((list) => list.children.every((tool) => unlisted.has(tool)))
  const written = lists.filter((list) => !emptied.includes(list))
  const edits = written.flatMap((list): readonly Edit[] => {
    const kept = list.children.filter((tool) => !unlisted.has(tool)).map((tool) => rawText(tree, tool))
    const raws = list === first ? [...kept, ...marked] : kept
    const [start, end] = [list.children[0]?.start ?? list.start + 1, list.children.at(-1)?.end ?? list.end - 1]
    return raws.length === list.children.length && list !== first ? [] : [{ start, end, text: raws.join(',') }]
  })
  return [...edits, ...removeChildren(tools, (index) => holdsAny(tools.children[index], emptied))]
}

function holdsAny(element: JsonNode | undefined, lists: readonly JsonNode[]): boolean {
  return element !== undefined && lists.some((list) => element.start < list.start && list.end <= element.end)
}

/** A mark for the provider's cache on a tool that goes stands on the last one that comes. */
function withMark(tree: JsonTree, unlisted: readonly JsonNode[], added: readonly string[]): readonly string[] {
  const mark = unlisted.map((tool) => member(tree, tool, 'cache_control')).findLast((found) => found?.kind === 'object')
  const last = added.at(-1)
  if (mark === undefined || last === undefined) return added
  return [...added.slice(0, -1), withMembers(last, [['cache_control', rawText(tree, mark)]])]
}
