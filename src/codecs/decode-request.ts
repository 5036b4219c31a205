import type {
  CacheMarker,
  Conversation,
  Dialect,
  Exchange,
  Item,
  Message,
  Sampling,
  ToolDefinition,
  Wire,
  WireRequest,
} from '../core/index.ts'
import { invalidInput } from '../core/index.ts'
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

/** What was read from a tool definition, a message or the system prompt; kept to be used again by the next request. */
export interface PartRecord {
  readonly items: readonly Item[]
  readonly markers: readonly CacheMarker[]
}

export interface ToolRecord extends PartRecord {
  /** Absent for tools that the provider runs or that have no schema. */
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
  readonly id: string
  /** Assistant messages before this one. */
  readonly turn: number
  /** The last message that a user wrote; its text is section `query`. */
  readonly isQuery: boolean
  /** Latest call under each id. */
  readonly calls: ReadonlyMap<string, CallRecord>
  /** Ids of calls whose results have not come. */
  readonly unanswered: ReadonlySet<string>
}

/** What differs between dialects when a request is decoded. */
export interface RequestReader {
  readonly dialect: Dialect
  /** Where a request of the dialect goes. */
  readonly path: string
  readTool(field: Field, id: string): ToolRecord
  readSystem(body: Field): PartRecord | undefined
  readMessage(field: Field, context: MessageContext): MessageRecord
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
 * What was read stays with the `messages` array, which copies of an exchange share. A member that nobody lists, because
 * values of a WeakMap outlive young-generation collections: measured, pauses a hundred times as long.
 */
const decoded = Symbol('prehend.decoded')

interface DecodedMessages extends ReadonlyArray<Message> {
  readonly [decoded]?: DecodedState
}

function stateOf(exchange: Exchange): DecodedState | undefined {
  const messages: DecodedMessages = exchange.conversation.messages
  return messages[decoded]
}

function withState(messages: readonly Message[], state: DecodedState): readonly Message[] {
  return Object.defineProperty(messages, decoded, { value: state, enumerable: false })
}

/** The scanned body of an exchange; scanned again if the exchange was not made by `decode`. */
export function treeOf(exchange: Exchange): JsonTree {
  const state = stateOf(exchange)
  return state !== undefined && state.tree.text === exchange.wire.body ? state.tree : scanJson(exchange.wire.body)
}

/** The items that stand in the body, whatever has become of those of the conversation since; in wire order. */
export function wireItems(reader: RequestReader, exchange: Exchange): readonly Item[] {
  const state = stateOf(exchange)
  if (state?.tree.text !== exchange.wire.body) return decodeRequest(reader, exchange.wire).conversation.items
  const { tools, system, messages } = state
  const parts: readonly PartRecord[] = [...tools.records, ...(system === undefined ? [] : [system.record]), ...messages]
  return parts.flatMap((part) => part.items)
}

/** Decodes a request with a dialect's reader, taking over what `previous` has read from the same bytes. */
export function decodeRequest(reader: RequestReader, request: WireRequest, previous?: Exchange): Exchange {
  const before = previous?.wire.dialect === reader.dialect ? stateOf(previous) : undefined
  const tree = scanJson(request.body, before?.tree)
  const body = requireObject({ tree, node: tree.root, path: '' })
  const model = requiredString(body, 'model')
  const stream = optionalBoolean(body, 'stream') ?? false
  const maxOutputTokens = reader.maxOutputTokens(body)
  const tools = readTools(reader, body, before)
  const system = readSystem(reader, body, before)
  const messages = readMessages(reader, requiredMessages(body), before)
  const parts: readonly PartRecord[] = [...tools.records, ...(system === undefined ? [] : [system.record]), ...messages]
  const items = parts.flatMap((part) => part.items)
  const spoken = [...systemMessage(system?.record), ...messages.map((record) => record.message)]
  const conversation: Conversation = {
    model,
    stream,
    messages: withState(spoken, { tree, tools, system, messages }),
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

function readTools(reader: RequestReader, body: Field, before: DecodedState | undefined): DecodedState['tools'] {
  const field = child(body, 'tools')
  if (field === undefined) return { raw: '', records: [] }
  requireArray(field)
  if (before !== undefined && sameText(field, before.tools.raw)) return before.tools
  const records = elements(field).map((tool, index) => reader.readTool(requireObject(tool), `t${index}`))
  return { raw: rawText(field.tree, field.node), records }
}

function readSystem(reader: RequestReader, body: Field, before: DecodedState | undefined): DecodedState['system'] {
  const field = child(body, 'system')
  if (field === undefined) return undefined
  if (before?.system !== undefined && sameText(field, before.system.raw)) return before.system
  const record = reader.readSystem(body)
  return record === undefined ? undefined : { raw: rawText(field.tree, field.node), record }
}

function readMessages(reader: RequestReader, field: Field, before: DecodedState | undefined): readonly MessageRecord[] {
  const fields = elements(field)
  const queryIndex = fields.findLastIndex((message) => reader.isUserAuthored(message))
  const calls = new Map<string, CallRecord>()
  const unanswered = new Set<string>()
  const records: MessageRecord[] = []
  let turn = 0
  let intact = before !== undefined
  for (const [index, message] of fields.entries()) {
    requireObject(message)
    const old = before?.messages[index]
    intact = intact && old !== undefined && sameMessage(message, old, before?.tree)
    const isQuery = index === queryIndex
    const record =
      intact && old !== undefined && old.isQuery === isQuery
        ? old.node === message.node
          ? old
          : { ...old, node: message.node }
        : reader.readMessage(message, { id: `m${index}`, turn, isQuery, calls, unanswered })
    for (const call of record.calls) {
      calls.set(call.id, call)
      unanswered.add(call.id)
    }
    for (const item of record.items) {
      if (item.role === 'tool' && item.toolCallId !== undefined) unanswered.delete(item.toolCallId)
    }
    if (record.message.role === 'assistant') turn += 1
    records.push(record)
  }
  return records
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
  return { id, name, group: context.calls.has(id) ? `${id}@${context.id}` : id }
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
