import type {
  EncodeView,
  WireExchange,
  InsertionPart,
  Item,
  JsonTree,
  Pack,
  PackEntry,
  ToolDefinition,
} from '../core/index.ts'
import { isJsonObject, keyAt, member, memberIndex, perObjectAndKey, rawText, shownRecipe } from '../core/index.ts'
import { messageNodes } from './body-shape.ts'
import { cannotEncode } from './cannot-encode.ts'
import type { RequestReader } from './request-reader.ts'
import { decodeText, extensionNames, wireParts } from './decode-request.ts'
import { insertionEdits, insertionParts, insertionsOf } from './insert-entries.ts'
import { nodeAt, nodeOfPath, parsePlace } from './item-place.ts'
import { markerEdits } from './mark-breakpoints.ts'
import { laidOutToolEdits, omissionEdits } from './omission.ts'
import type { Field } from './read-field.ts'
import { parseData } from './reply-body.ts'
import type { RequestDialect, ShownEntry, ShownMedia, Showing, TextPlace } from './request-writer.ts'
import { placeOf } from './request-writer.ts'
import type { Edit } from './splice.ts'
import { pieced, removeChildren, sortEdits, splice } from './splice.ts'

/** Splices what the view changes into the body; with nothing to change the body itself comes back. */
export function encodeRequest(dialect: RequestDialect, exchange: WireExchange, view: EncodeView): string {
  const { tree, edits } = requestEdits(dialect, exchange, view)
  return edits.length === 0 ? exchange.wire.body : splice(tree.text, edits)
}

/** Reads an exchange as it is with what has changed in its conversation, without putting its body together. */
export function applyChanges(dialect: RequestDialect, exchange: WireExchange, previous?: WireExchange): WireExchange {
  const { tree, edits } = requestEdits(dialect, exchange, {})
  const { path, headers } = exchange.wire
  return decodeText(dialect.reader, { path, headers, text: pieced(tree.text, edits) }, previous)
}

/** What a view changes in the body. */
function requestEdits(
  dialect: RequestDialect,
  exchange: WireExchange,
  view: EncodeView,
): { readonly tree: JsonTree; readonly edits: readonly Edit[] } {
  const { pack, hiddenTools = [], hidden = [] } = view
  const showing = showingOf(dialect, exchange, view)
  const { tree } = showing
  const edits = [
    ...(pack?.layout === 'payload' ? payloadEdits(showing, pack) : messageEdits(showing, view)),
    ...toolEdits(showing, exchange, hiddenTools),
    ...hidden.map((inserted) => hiddenEdit(showing, inserted.afterId, inserted.messages)),
    ...extensionEdits(tree),
  ]
  return { tree, edits: edits.length === 0 ? edits : aroundWords(showing, edits) }
}

/** Where words stand in the place of messages, those that join them make a list of them. */
export function aroundWords(
  { tree, shape, writer }: Pick<Showing, 'tree' | 'shape' | 'writer'>,
  edits: readonly Edit[],
): readonly Edit[] {
  const words = member(tree, tree.root, shape.messages)
  const sorted = sortEdits(edits)
  if (words?.kind !== 'string' || writer.aroundWords === undefined) return sorted
  const { start, end } = words
  const joins = (edit: Edit): boolean => edit.start === edit.end && (edit.start === start || edit.start === end)
  if (!sorted.some(joins)) return sorted
  const [before, after] = writer.aroundWords
  const list = { start, end: start, text: '[' }
  const message = { start, end: start, text: before }
  const close = { start: end, end, text: after }
  return sortEdits([
    list,
    ...sorted.filter((edit) => edit.start <= start),
    message,
    close,
    ...sorted.filter((edit) => edit.start > start),
    { start: end, end, text: ']' },
  ])
}

/** What puts the insertions of an encode back into the client's next body. */
export function overlayOf(dialect: RequestDialect, exchange: WireExchange, view: EncodeView): readonly InsertionPart[] {
  return insertionParts(showingOf(dialect, exchange, view))
}

/** Reads what a view shows of an exchange, and where what is new will stand. */
function showingOf({ reader, writer }: RequestDialect, exchange: WireExchange, view: EncodeView): Showing {
  const parts = wireParts(reader, exchange)
  const list: readonly ShownEntry[] = view.pack?.entries ?? exchange.conversation.items.map(shownInFull)
  const entries = new Map(list.map((entry) => [entry.itemId, entry]))
  const changes = changesOf(parts.items, entries)
  const isNew = parts.items.length - changes.omitted.length < entries.size
  const laidOut = view.pack?.layout === 'payload'
  const added = isNew ? itemsOf(exchange, view) : noItems
  const made = view.made ?? nothingMade
  const showing = { ...parts, ...changes, writer, exchange, list, entries, added, made }
  return { ...showing, insertions: isNew && !laidOut ? insertionsOf(showing) : [] }
}

/** The indexes of items that are shown otherwise than the body has them, and of those that are not shown. */
function changesOf(
  items: readonly Item[],
  entries: ReadonlyMap<string, ShownEntry>,
): Pick<Showing, 'changed' | 'omitted'> {
  const changed: number[] = []
  const omitted: number[] = []
  for (const [index, { id, text }] of items.entries()) {
    const entry = entries.get(id)
    if (entry === undefined) omitted.push(index)
    else if (entry.text !== text) changed.push(index)
  }
  return { changed, omitted }
}

const noItems: ReadonlyMap<string, Item> = new Map()
const nothingMade: ReadonlyMap<string, string> = new Map()

/** Those of the conversation, which may be more than those of the body, and those of the view. */
function itemsOf({ conversation }: WireExchange, { items = [] }: EncodeView): ReadonlyMap<string, Item> {
  return new Map([...conversation.items, ...items].map((item) => [item.id, item]))
}

function shownInFull({ id, text, section }: Item): ShownEntry {
  return { itemId: id, text, section }
}

function messageEdits(showing: Showing, { pack }: EncodeView): readonly Edit[] {
  const edits = [...changeEdits(showing)]
  const omitted = new Set(showing.omitted.map(showing.placeAt))
  if (omitted.size > 0) edits.push(...omissionEdits(showing, (place) => !omitted.has(place)))
  edits.push(...insertionEdits(showing))
  if (pack === undefined || pack.breakpoints.length === 0) return edits
  const marks = markerEdits(showing, pack.breakpoints)
  return [...edits.filter((edit) => !marks.some((mark) => isInPlaceOf(mark, edit))), ...marks]
}

/** A mark on what is written anew comes with what is written. */
function isInPlaceOf(mark: Edit, edit: Edit): boolean {
  return edit.end > edit.start && mark.start === edit.start && mark.end === edit.end
}

/** The tools stay where they are, as the pack shows them; what else it shows stands in its messages, media beside them. */
function payloadEdits(showing: Showing, pack: Pack): readonly Edit[] {
  const { items, tree, writer } = showing
  const isTool = (index: number): boolean => items[index]?.section === 'tools'
  const edits = showing.changed.filter(isTool).map((index) => textEdit(showing, index))
  const omitted = new Set(showing.omitted.filter(isTool).map(showing.placeAt))
  if (omitted.size > 0) edits.push(...laidOutToolEdits(showing, (place) => !omitted.has(place)))
  const placed = new Set(items.map((item) => item.id))
  const unknown = pack.entries.find(({ itemId, section }) => section === 'tools' && !placed.has(itemId))
  if (unknown !== undefined)
    throw cannotEncode(`tool ${unknown.itemId} is not in the body`, 'Tools of ours are hidden tools of the view.')
  const media = pack.entries.flatMap((entry) => mediaBlock(showing, entry))
  return [...edits, ...writer.layOut(tree, pack.messages, media)]
}

/** The raw block of a picture or file that a laid-out pack shows. */
function mediaBlock(showing: Showing, { itemId, text }: PackEntry): readonly string[] {
  const { tree, shape, items, placeAt, added, made, writer } = showing
  const index = items.findIndex((item) => item.id === itemId)
  const item = items[index] ?? added.get(itemId)
  const url = made.get(itemId)
  // What is shown as words stands in the messages, and so do the words beside what was made of it.
  if (item?.kind !== 'media') return []
  if (text !== '' && url === undefined) {
    requireNothingMade(itemId, text)
    return []
  }
  const path = index < 0 ? undefined : parsePlace(placeAt(index))
  const node = path === undefined ? undefined : nodeOfPath(tree, shape, path)
  if (path === undefined || path.name !== undefined || node?.kind !== 'object') {
    const why = path === undefined ? 'whose data stand in no body' : 'that no message of the user can hold'
    throw cannotEncode(`item ${itemId} is media ${why}`, 'Leave it out of the payload.')
  }
  const edits = url === undefined ? [] : writer.mediaBytes(tree, node, url)
  if (edits === undefined) throw cannotEncode(`item ${itemId} has no bytes of its own`, 'Show it in full.')
  return [edits.length === 0 ? rawText(tree, node) : splice(tree.text, sortEdits(edits), node.start, node.end)]
}

function changeEdits(showing: Showing): readonly Edit[] {
  const { changed, items, tree, writer } = showing
  const isMedia = (index: number): boolean => items[index]?.kind === 'media'
  const edits = changed.flatMap((index) => (isMedia(index) ? [] : textEdit(showing, index)))
  const media = changed.filter(isMedia).map((index) => shownMedia(showing, index))
  if (media.length === 0) return edits
  const all = writer.showMedia(tree, media, edits)
  if (all !== undefined) return all
  const names = media.map(({ itemId }) => itemId).join(', ')
  throw cannotEncode(`words cannot stand in the place of media ${names}`, 'Show it in full.')
}

function shownMedia({ items, entries, tree, shape, placeAt, made }: Showing, index: number): ShownMedia {
  const item = items[index]
  const text = entries.get(item?.id ?? '')?.text
  if (item === undefined || text === undefined) throw new TypeError('only what is shown can be changed')
  if (item.frozen === true) throw cannotEncode(`item ${item.id} is frozen but its text has changed`, 'Show it in full.')
  const place = placeOf({ tree, shape }, placeAt(index))
  if (place === undefined)
    throw cannotEncode(`item ${item.id} has no place in the body`, 'Encode the exchange it came from.')
  const url = made.get(item.id)
  if (url === undefined) requireNothingMade(item.id, text)
  return { itemId: item.id, place, text, ...(url !== undefined && { made: url }) }
}

/** Words that tell of a smaller picture stand beside one. */
export function requireNothingMade(itemId: string, text: string): void {
  if (shownRecipe(text) === undefined) return
  throw cannotEncode(`what is shown of media ${itemId} was not made`, 'Make it, and give it as `made`.')
}

function textEdit(showing: Showing, index: number): Edit {
  const { tree, writer, items, entries, placeAt } = showing
  const item = items[index]
  const entry = entries.get(item?.id ?? '')
  if (item === undefined || entry === undefined) throw new TypeError('only what is shown can be changed')
  const { text } = entry
  if (item.frozen === true && !isThawed(showing, item.id))
    throw cannotEncode(`item ${item.id} is frozen but its text has changed`, 'Show it in full.')
  const at = placeOf(showing, placeAt(index))
  const target = at === undefined ? undefined : writer.textPlace(tree, at)
  if (target === undefined)
    throw cannotEncode(`item ${item.id} has no text in the body`, 'Encode the exchange it came from.')
  const { start, end } = target.node
  if (target.form === 'words') return { start, end, text: wordsAt(target, entry) }
  if (!isJsonObject(parseData(text)))
    throw cannotEncode(`the text of item ${item.id} is not a JSON object`, 'Keep its JSON.')
  return { start, end, text }
}

/** Whether whoever has changed the conversation has said that this of it may change. */
function isThawed({ exchange }: Showing, itemId: string): boolean {
  return exchange.conversation.items.some(({ id, frozen }) => id === itemId && frozen !== true)
}

function wordsAt({ under }: TextPlace, entry: ShownEntry): string {
  return under === undefined ? writtenText(entry) : JSON.stringify({ [under]: entry.text })
}

/** Most of what is shown stands as in the request before: it is written once for as long as its entry lives. */
const written = perObjectAndKey<ShownEntry, string>()

function writtenText(entry: ShownEntry): string {
  return written(entry, entry.text, ({ text }) => JSON.stringify(text))
}

function toolEdits(
  { writer, shape, tree }: Showing,
  { wire, conversation }: WireExchange,
  hiddenTools: readonly ToolDefinition[],
): readonly Edit[] {
  if (hiddenTools.length === 0) return []
  const tools = shape.toolsIn(tree)
  if (!(wire.acceptsTool || wire.keepsTool) || tools === undefined) {
    throw cannotEncode(
      'a tool is to be added to a request that accepts none',
      'Look at acceptsTool and keepsTool first.',
    )
  }
  return hiddenTools.map((tool) => {
    if (conversation.tools.some((known) => known.name === tool.name)) {
      throw cannotEncode(`the request already has a tool named ${tool.name}`, 'Choose another name.')
    }
    return writer.toolEdit(tree, tools, tool)
  })
}

function hiddenEdit({ tree, shape, messages: records }: Showing, afterId: string, messages: readonly string[]): Edit {
  const index = records.findIndex(({ message }) => message.id === afterId)
  const node = messageNodes(tree, shape)[index]
  if (node === undefined)
    throw cannotEncode(`hidden messages after unknown message ${afterId}`, 'Name a message of the body.')
  return { start: node.end, end: node.end, text: messages.map((message) => `,${message}`).join('') }
}

export function extensionEdits(tree: JsonTree): readonly Edit[] {
  if (extensionNames.every((name) => memberIndex(tree, tree.root, name) < 0)) return []
  const names: ReadonlySet<string> = new Set(extensionNames)
  return removeChildren(tree.root, (index) => names.has(keyAt(tree, tree.root, index)))
}

/** The raw JSON of an item's place in the body, in memory of its own. */
export function rawItem(reader: RequestReader, exchange: WireExchange, itemId: string): string | undefined {
  return atItem(reader, { exchange, itemId }, ({ tree, node }) => rawText(tree, node))
}

/** What there is to read at an item's place in the body; undefined for an item that has none. */
export function atItem<Value>(
  reader: RequestReader,
  { exchange, itemId }: { readonly exchange: WireExchange; readonly itemId: string },
  read: (field: Field) => Value,
): Value | undefined {
  const { tree, shape, items, placeAt } = wireParts(reader, exchange)
  const path = placeAt(items.findIndex((item) => item.id === itemId))
  const node = nodeAt(tree, shape, path)
  return node === undefined ? undefined : read({ tree, node, path })
}
