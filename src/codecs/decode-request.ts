import type {
  CacheMarker,
  Conversation,
  Dialect,
  Exchange,
  Item,
  Message,
  Places,
  Role,
  Sampling,
  ToolDefinition,
  Wire,
  WireRequest,
} from '../core/index.ts'
import { invalidInput } from '../core/index.ts'
import type { TakenNames } from './item-names.ts'
import { baseName, claimName, fingerprint } from './item-names.ts'
import { nodeAt } from './item-place.ts'
import { decodeValue, member, rawText } from './json-node.ts'
import { optional } from './optional.ts'
import type { Field } from './read-field.ts'
import {
  child,
  elements,
  optionalBoolean,
  requireArray,
  requireObject,
  requiredMessages,
  requiredString,
} from './read-field.ts'
import type { JsonNode, JsonTree } from './scan-json.ts'
import { scanJson } from './scan-json.ts'

/** A tool call that stands in the body, and the group that it shares with its result. */
export interface CallRecord {
  readonly id: string
  readonly name: string
  readonly group: string
}

/** What a reader finds in a tool definition, a message or the system prompt. Ids of items are their places, see `item-place.ts`. */
export interface PartReading {
  readonly items: readonly Item[]
  readonly markers: readonly CacheMarker[]
}

export interface ToolReading extends PartReading {
  /** Absent for tools that the provider runs or that have no schema. */
  readonly definition?: ToolDefinition
}

export interface MessageReading extends PartReading {
  readonly role: Role
  readonly name?: string
  readonly calls: readonly CallRecord[]
}

/** A reading whose items have their names; kept to be used again by the next request. */
interface PartRecord extends PartReading {
  /** Of the items, in their order. */
  readonly places: readonly string[]
  /** The names that were asked for. */
  readonly bases: readonly string[]
}

interface ToolRecord extends PartRecord {
  readonly definition?: ToolDefinition
}

export interface MessageRecord extends PartRecord {
  readonly node: JsonNode
  readonly isQuery: boolean
  readonly message: Message
  readonly calls: readonly CallRecord[]
}

/** What a message reader knows of the messages before. */
export interface MessageContext {
  /** The place of the message. */
  readonly id: string
  /** Assistant messages before this one. */
  readonly turn: number
  /** The last message that a user wrote; its text is section `query`. */
  readonly isQuery: boolean
  /** Latest call under each id. */
  readonly calls: ReadonlyMap<string, CallRecord>
  /** Ids of calls whose results have not come. */
  readonly unanswered: ReadonlySet<string>
  /** How many calls before have had an id. */
  readonly uses: ReadonlyMap<string, number>
}

/** What differs between dialects when a request is decoded. */
export interface RequestReader {
  readonly dialect: Dialect
  /** Where a request of the dialect goes. */
  readonly path: string
  readTool(field: Field, id: string): ToolReading
  readSystem(body: Field): PartReading | undefined
  readMessage(field: Field, context: MessageContext): MessageReading
  /** Whether a user wrote (part of) this message, tool results excluded. */
  isUserAuthored(field: Field): boolean
  /** Whether a tool of ours may join the tools in use. */
  acceptsTool(body: Field, tools: Field): boolean
  /** A marker that stands on the body itself, for the whole prompt. */
  bodyMarker(body: Field): number | undefined
  cacheKey(body: Field): string | undefined
  maxOutputTokens(body: Field): number | undefined
  /** What of it is missing or of another type is left to the provider. */
  sampling(body: Field): Sampling
}

interface DecodedState {
  readonly tree: JsonTree
  readonly tools: { readonly raw: string; readonly records: readonly ToolRecord[] }
  readonly system: { readonly raw: string; readonly record: PartRecord } | undefined
  readonly messages: readonly MessageRecord[]
}

/**
 * What was read stays with the places of a wire, which copies of it share. A member that nobody lists, because values of a
 * WeakMap outlive young-generation collections: measured, pauses a hundred times as long.
 */
const decoded = Symbol('prehend.decoded')

interface DecodedPlaces extends Places {
  readonly [decoded]?: DecodedState
}

function stateOf({ wire }: Exchange): DecodedState | undefined {
  const places: DecodedPlaces | undefined = wire.places
  return places?.[decoded]
}

function placesWith(items: number, state: DecodedState): Places {
  return Object.defineProperty({ items }, decoded, { value: state, enumerable: false })
}

/** The scanned body of an exchange; scanned again if the exchange was not made by `decode`. */
export function treeOf(exchange: Exchange): JsonTree {
  const state = stateOf(exchange)
  return state !== undefined && state.tree.text === exchange.wire.body ? state.tree : scanJson(exchange.wire.body)
}

/** What stands in a body, whatever has become of the conversation since. */
export interface WireParts {
  readonly tree: JsonTree
  readonly items: readonly Item[]
  /** Of the items, in their order. */
  readonly places: readonly string[]
  readonly messages: readonly MessageRecord[]
}

export function wireParts(reader: RequestReader, exchange: Exchange): WireParts {
  const known = stateOf(exchange)
  const state = known?.tree.text === exchange.wire.body ? known : stateOf(decodeRequest(reader, exchange.wire))
  if (state === undefined) throw new TypeError('decode leaves its state with the wire')
  const { tree, messages } = state
  const parts = partsOf(state)
  return {
    tree,
    messages,
    items: parts.flatMap((part) => part.items),
    places: parts.flatMap((part) => part.places),
  }
}

function partsOf({ tools, system, messages }: Omit<DecodedState, 'tree'>): readonly PartRecord[] {
  return [...tools.records, ...(system === undefined ? [] : [system.record]), ...messages]
}

/** Decodes a request with a dialect's reader, taking over what `previous` has read from the same bytes. */
export function decodeRequest(reader: RequestReader, request: WireRequest, previous?: Exchange): Exchange {
  const before = previous?.wire.dialect === reader.dialect ? stateOf(previous) : undefined
  const tree = scanJson(request.body, before?.tree)
  const body = requireObject({ tree, node: tree.root, path: '' })
  const model = requiredString(body, 'model')
  const stream = optionalBoolean(body, 'stream') ?? false
  const maxOutputTokens = reader.maxOutputTokens(body)
  const taken: TakenNames = new Map()
  const tools = readTools({ reader, before, taken }, body)
  const system = readSystem({ reader, before, taken }, body)
  const messages = readMessages({ reader, before, taken }, requiredMessages(body))
  const parts = partsOf({ tools, system, messages })
  const items = parts.flatMap((part) => part.items)
  const spoken = [...systemMessage(system?.record), ...messages.map((record) => record.message)]
  const conversation: Conversation = {
    model,
    stream,
    messages: spoken,
    items,
    tools: tools.records.flatMap((record) => record.definition ?? []),
    sampling: reader.sampling(body),
    ...optional('maxOutputTokens', maxOutputTokens),
  }
  const wire: Wire = {
    dialect: reader.dialect,
    path: request.path ?? reader.path,
    headers: request.headers ?? {},
    body: request.body,
    markers: allMarkers(reader, body, parts, items),
    places: placesWith(items.length, { tree, tools, system, messages }),
    acceptsTool: acceptsTool(reader, body),
    ...optional('cacheKey', reader.cacheKey(body)),
    ...optional('extension', extensionOf(body)),
  }
  return { wire, conversation }
}

/** Members of a body that belong to Prehend and are never forwarded; the first that is present counts. */
export const extensionNames = ['prehend', 'bardo'] as const

function extensionOf(body: Field): Wire['extension'] {
  for (const name of extensionNames) {
    const node = member(body.tree, body.node, name)
    if (node !== undefined) return decodeValue(body.tree, node)
  }
  return undefined
}

interface Reading {
  readonly reader: RequestReader
  readonly before: DecodedState | undefined
  /** Grows as parts are read. */
  readonly taken: TakenNames
}

function readTools({ reader, before, taken }: Reading, body: Field): DecodedState['tools'] {
  const field = child(body, 'tools')
  if (field === undefined) return { raw: '', records: [] }
  requireArray(field)
  if (before !== undefined && sameText(field, before.tools.raw)) {
    for (const record of before.tools.records) claimAgain(taken, record)
    return before.tools
  }
  const records = elements(field).map((tool, index): ToolRecord => {
    const reading = reader.readTool(requireObject(tool), `t${index}`)
    return { ...named(reading, { reader, tree: field.tree, taken }), ...optional('definition', reading.definition) }
  })
  return { raw: rawText(field.tree, field.node), records }
}

function readSystem({ reader, before, taken }: Reading, body: Field): DecodedState['system'] {
  const field = child(body, 'system')
  if (field === undefined) return undefined
  if (before?.system !== undefined && sameText(field, before.system.raw)) {
    claimAgain(taken, before.system.record)
    return before.system
  }
  const reading = reader.readSystem(body)
  if (reading === undefined) return undefined
  return { raw: rawText(field.tree, field.node), record: named(reading, { reader, tree: field.tree, taken }) }
}

/** What the messages read so far have told. */
interface Told {
  readonly calls: Map<string, CallRecord>
  readonly unanswered: Set<string>
  readonly uses: Map<string, number>
  turn: number
}

function readMessages({ reader, before, taken }: Reading, field: Field): readonly MessageRecord[] {
  const fields = elements(field)
  const queryIndex = fields.findLastIndex((message) => reader.isUserAuthored(message))
  const told: Told = { calls: new Map(), unanswered: new Set(), uses: new Map(), turn: 0 }
  const records: MessageRecord[] = []
  let intact = before !== undefined
  for (const [index, message] of fields.entries()) {
    requireObject(message)
    const old = before?.messages[index]
    intact = intact && old !== undefined && sameMessage(message, old, before?.tree)
    const isQuery = index === queryIndex
    let record: MessageRecord
    if (intact && old !== undefined && old.isQuery === isQuery) {
      claimAgain(taken, old)
      record = old.node === message.node ? old : { ...old, node: message.node }
    } else {
      const reading = reader.readMessage(message, { ...told, id: `m${index}`, isQuery })
      record = messageRecord(reading, { reader, field: message, taken, isQuery })
    }
    tell(told, record)
    records.push(record)
  }
  return records
}

function tell(told: Told, { items, calls, message }: MessageRecord): void {
  for (const call of calls) {
    told.calls.set(call.id, call)
    told.unanswered.add(call.id)
    told.uses.set(call.id, (told.uses.get(call.id) ?? 0) + 1)
  }
  for (const item of items) {
    if (item.role === 'tool' && item.toolCallId !== undefined) told.unanswered.delete(item.toolCallId)
  }
  if (message.role === 'assistant') told.turn += 1
}

interface Naming {
  readonly reader: RequestReader
  readonly tree: JsonTree
  readonly taken: TakenNames
}

/** Gives items their names in the place of their places. */
function named(reading: PartReading, { reader, tree, taken }: Naming): PartRecord {
  const places = reading.items.map((item) => item.id)
  const bases = reading.items.map((item) => baseName(item, item.id, () => rawAt(tree, item.id)))
  const ids = new Map<string, string>()
  const items = reading.items.map((item, index): Item => {
    const id = claimName(taken, bases[index] ?? item.id)
    ids.set(item.id, id)
    return { ...item, id, provenance: { sourceId: `${reader.dialect}:${id}` } }
  })
  const markers = reading.markers.map((marker) => ({ ...marker, itemId: ids.get(marker.itemId) ?? marker.itemId }))
  return { items, markers, places, bases }
}

function messageRecord(
  reading: MessageReading,
  { reader, field, taken, isQuery }: Omit<Naming, 'tree'> & { readonly field: Field; readonly isQuery: boolean },
): MessageRecord {
  const part = named(reading, { reader, tree: field.tree, taken })
  const itemIds = part.items.map((item) => item.id)
  const empty = itemIds.length > 0 ? undefined : `empty:${fingerprint(rawText(field.tree, field.node))}`
  const id = `@${itemIds[0] ?? claimName(taken, empty ?? '')}`
  return {
    ...part,
    ...(empty === undefined ? {} : { bases: [empty] }),
    node: field.node,
    isQuery,
    message: { id, role: reading.role, itemIds, ...optional('name', reading.name) },
    calls: reading.calls,
  }
}

/** What was read before is named as it was; the names that follow have to know. */
function claimAgain(taken: TakenNames, { bases }: PartRecord): void {
  for (const base of bases) claimName(taken, base)
}

function rawAt(tree: JsonTree, place: string): string {
  const node = nodeAt(tree, place)
  return node === undefined ? '' : tree.text.slice(node.start, node.end)
}

function sameText(field: Field, raw: string): boolean {
  const { start, end } = field.node
  return end - start === raw.length && field.tree.text.slice(start, end) === raw
}

function sameMessage(field: Field, old: MessageRecord, tree: JsonTree | undefined): boolean {
  if (old.node === field.node) return true
  return tree !== undefined && sameText(field, tree.text.slice(old.node.start, old.node.end))
}

function systemMessage(record: PartRecord | undefined): readonly Message[] {
  return record === undefined ? [] : [{ id: 'system', role: 'system', itemIds: record.items.map((item) => item.id) }]
}

function allMarkers(
  reader: RequestReader,
  body: Field,
  parts: readonly PartRecord[],
  items: readonly Item[],
): readonly CacheMarker[] {
  const ttlMs = reader.bodyMarker(body)
  const last = items.at(-1)
  const markers = parts.flatMap((part) => part.markers)
  return ttlMs === undefined || last === undefined ? markers : [...markers, { itemId: last.id, ttlMs }]
}

function acceptsTool(reader: RequestReader, body: Field): boolean {
  const tools = child(body, 'tools')
  return tools !== undefined && tools.node.children.length > 0 && reader.acceptsTool(body, tools)
}

/**
 * A new call. Ids that come back after their result are common in the wild and keep groups of their own; an id that is
 * used twice before its result comes leaves open which call the result answers.
 */
export function claimCall(
  context: MessageContext,
  taken: Set<string>,
  { id, name, path }: { readonly id: string; readonly name: string; readonly path: string },
): CallRecord {
  if (taken.has(id) || context.unanswered.has(id)) {
    throw invalidInput(path, `tool call id ${JSON.stringify(id)} is used twice`, 'Give every call its own id.')
  }
  taken.add(id)
  const before = context.uses.get(id) ?? 0
  return { id, name, group: before === 0 ? id : `${id}#${before + 1}` }
}

/** A call of this id whose result may stand here, or the error that names the field. */
export function requireCall(calls: ReadonlyMap<string, CallRecord>, id: string, path: string): CallRecord {
  const call = calls.get(id)
  if (call === undefined) {
    throw invalidInput(
      path,
      `no tool call ${JSON.stringify(id)} before this result`,
      'Send the message that made the call, too.',
    )
  }
  return call
}
