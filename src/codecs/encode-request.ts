import type {
  Breakpoint,
  EncodeView,
  Exchange,
  Item,
  Pack,
  PackEntry,
  PackMessage,
  ToolDefinition,
} from '../core/index.ts'
import { PrehendError } from '../core/index.ts'
import type { RequestReader } from './decode-request.ts'
import { extensionNames, treeOf, wireItems } from './decode-request.ts'
import type { ItemPath } from './item-path.ts'
import { nodeOfItem, parseItemId } from './item-path.ts'
import { keyAt, member, memberIndex, rawText } from './json-node.ts'
import type { JsonNode, JsonTree } from './scan-json.ts'
import { scanJson } from './scan-json.ts'
import type { Edit } from './splice.ts'
import { appendChild, removeChildren, sortEdits, splice } from './splice.ts'
import { omissionEdits } from './omission.ts'

/** An item's place in the body. */
export interface ItemPlace {
  readonly item: Item
  readonly path: ItemPath
  readonly node: JsonNode
}

/** The part of the body that carries an item's text, and what may stand there. */
export interface TextPlace {
  readonly node: JsonNode
  /** `words`: a string holding the text. `json`: an object that the text spells out. */
  readonly form: 'words' | 'json'
}

/** What differs between dialects when a request is encoded. */
export interface RequestWriter {
  textPlace(tree: JsonTree, place: ItemPlace): TextPlace | undefined
  /** The edits that mark a block as the end of a cached prefix, or undefined where no marker may stand. */
  mark(tree: JsonTree, place: ItemPlace, ttlMs: number): readonly Edit[] | undefined
  /** Most markers that a request may carry. */
  readonly mostMarkers: number
  /** Whether the caller has taken caching into its own hands. */
  ownsCaching(exchange: Exchange, tree: JsonTree): boolean
  toolJson(tool: ToolDefinition): string
  /** The edits that replace the conversation by the messages of a laid-out pack. */
  layOut(tree: JsonTree, messages: readonly PackMessage[]): readonly Edit[]
  /** Whether a conversation may begin with this role once messages before it are gone. */
  mayBegin(role: string): boolean
}

/** Splices what the options change into the body; with nothing to change the body itself comes back. */
export function encodeRequest({ reader, writer }: Dialected, exchange: Exchange, view: EncodeView): string {
  const tree = treeOf(exchange)
  const { pack, addTool, hidden = [] } = view
  const shown: Showing = {
    writer,
    exchange,
    tree,
    items: wireItems(reader, exchange),
    entries: entriesOf(exchange, pack),
  }
  const edits = [
    ...(pack?.layout === 'payload' ? writer.layOut(tree, pack.messages) : messageEdits(shown, pack?.breakpoints ?? [])),
    ...(addTool === undefined ? [] : [toolEdit(writer, exchange, tree, addTool)]),
    ...hidden.map((inserted) => hiddenEdit(tree, inserted.afterId, inserted.messages)),
    ...extensionEdits(tree),
  ]
  return edits.length === 0 ? exchange.wire.body : splice(exchange.wire.body, sortEdits(edits))
}

/** What is known of a dialect where a request of it is encoded. */
export interface Dialected {
  readonly reader: RequestReader
  readonly writer: RequestWriter
}

type ShownText = Pick<PackEntry, 'text'>

interface Showing {
  readonly writer: RequestWriter
  readonly exchange: Exchange
  readonly tree: JsonTree
  /** As they stand in the body. */
  readonly items: readonly Item[]
  readonly entries: ReadonlyMap<string, ShownText>
}

function entriesOf({ conversation }: Exchange, pack: Pack | undefined): ReadonlyMap<string, ShownText> {
  if (pack === undefined) return new Map(conversation.items.map((item) => [item.id, item]))
  return new Map(pack.entries.map((entry) => [entry.itemId, entry]))
}

function messageEdits(showing: Showing, breakpoints: readonly Breakpoint[]): readonly Edit[] {
  const { writer, exchange, tree, items, entries } = showing
  const edits: Edit[] = []
  const omitted = new Set<string>()
  for (const item of items) {
    const entry = entries.get(item.id)
    if (entry === undefined) omitted.add(item.id)
    else if (entry.text !== item.text) edits.push(textEdit(writer, tree, item, entry.text))
  }
  if (omitted.size > 0) {
    const kept = (id: string): boolean => !omitted.has(id)
    edits.push(...omissionEdits({ tree, exchange, kept, mayBegin: writer.mayBegin }))
  }
  if (breakpoints.length > 0) edits.push(...markerEdits({ ...showing, breakpoints }))
  return edits
}

/** An encode that would make a request which the provider rejects. */
export function cannotEncode(assertion: string, remedy: string): PrehendError<'compile-assertion'> {
  return new PrehendError('compile-assertion', `${assertion}. ${remedy}`, { assertion, remedy })
}

function placeOf(tree: JsonTree, item: Item): ItemPlace | undefined {
  const path = parseItemId(item.id)
  const node = path === undefined ? undefined : nodeOfItem(tree, path)
  return path === undefined || node === undefined ? undefined : { item, path, node }
}

function textEdit(writer: RequestWriter, tree: JsonTree, item: Item, text: string): Edit {
  if (item.frozen === true) throw cannotEncode(`item ${item.id} is frozen but its text has changed`, 'Show it in full.')
  const place = placeOf(tree, item)
  const target = place === undefined ? undefined : writer.textPlace(tree, place)
  if (target === undefined)
    throw cannotEncode(`item ${item.id} has no text in the body`, 'Encode the exchange it came from.')
  const { start, end } = target.node
  if (target.form === 'words') return { start, end, text: JSON.stringify(text) }
  if (!isObjectText(text)) throw cannotEncode(`the text of item ${item.id} is not a JSON object`, 'Keep its JSON.')
  return { start, end, text }
}

function isObjectText(text: string): boolean {
  try {
    return scanJson(text).root.kind === 'object'
  } catch {
    return false
  }
}

interface Marking extends Showing {
  readonly breakpoints: readonly Breakpoint[]
}

function markerEdits(marking: Marking): readonly Edit[] {
  const { writer, exchange, tree, items, breakpoints } = marking
  if (writer.ownsCaching(exchange, tree)) return []
  const indexes = new Map(items.map((item, index) => [item.id, index]))
  const marked = new Map<number, readonly Edit[]>()
  for (const breakpoint of breakpoints) {
    const index = indexes.get(breakpoint.itemId)
    if (index === undefined)
      throw cannotEncode(`breakpoint at unknown item ${breakpoint.itemId}`, 'Place it on an item.')
    const found = nearestMark(marking, index, breakpoint.ttlMs)
    if (found !== undefined && !marked.has(found.at)) marked.set(found.at, found.edits)
  }
  if (marked.size > writer.mostMarkers) {
    throw cannotEncode(`${marked.size} breakpoints, at most ${writer.mostMarkers} are allowed`, 'Place fewer.')
  }
  return [...marked.values()].flat()
}

/** A breakpoint on a block that may carry none moves back to the nearest block that may. */
function nearestMark(
  marking: Marking,
  from: number,
  ttlMs: number,
): { readonly at: number; readonly edits: readonly Edit[] } | undefined {
  const { writer, tree, items, entries } = marking
  for (let index = from; index >= 0; index -= 1) {
    const item = items[index]
    const entry = item === undefined ? undefined : entries.get(item.id)
    if (item === undefined || entry === undefined) continue
    const hasWords = item.kind === 'media' || entry.text !== ''
    const place = placeOf(tree, item)
    const edits = place !== undefined && hasWords ? writer.mark(tree, place, ttlMs) : undefined
    const [first] = edits ?? []
    if (edits !== undefined && first !== undefined) return { at: first.start, edits }
  }
  return undefined
}

function toolEdit(writer: RequestWriter, exchange: Exchange, tree: JsonTree, tool: ToolDefinition): Edit {
  const tools = member(tree, tree.root, 'tools')
  if (!exchange.wire.acceptsTool || tools?.kind !== 'array') {
    throw cannotEncode('a tool is to be added to a request that accepts none', 'Look at acceptsTool first.')
  }
  if (exchange.conversation.tools.some((known) => known.name === tool.name)) {
    throw cannotEncode(`the request already has a tool named ${tool.name}`, 'Choose another name.')
  }
  return appendChild(tools, writer.toolJson(tool))
}

function hiddenEdit(tree: JsonTree, afterId: string, messages: readonly string[]): Edit {
  const path = parseItemId(afterId)
  const node = path?.root === 'm' ? member(tree, tree.root, 'messages')?.children[path.index] : undefined
  if (node === undefined)
    throw cannotEncode(`hidden messages after unknown message ${afterId}`, 'Name a message of the body.')
  return { start: node.end, end: node.end, text: messages.map((message) => `,${message}`).join('') }
}

function extensionEdits(tree: JsonTree): readonly Edit[] {
  if (extensionNames.every((name) => memberIndex(tree, tree.root, name) < 0)) return []
  const names: ReadonlySet<string> = new Set(extensionNames)
  return removeChildren(tree.root, (index) => names.has(keyAt(tree, tree.root, index)))
}

/** The raw JSON of an item's place in the body, in memory of its own. */
export function rawItem(exchange: Exchange, itemId: string): string | undefined {
  const tree = treeOf(exchange)
  const path = parseItemId(itemId)
  const node = path === undefined ? undefined : nodeOfItem(tree, path)
  return node === undefined ? undefined : rawText(tree, node)
}
