import type {
  CacheMarker,
  Conversation,
  WireExchange,
  Item,
  JsonTree,
  Message,
  TextSource,
  Wire,
  WireRequest,
} from '../core/index.ts'
import { decodeValue, frozen, keyAt, member, rawText, scanJson } from '../core/index.ts'
import type { BodyShape } from './body-shape.ts'
import { nameOf } from './body-shape.ts'
import { decodeLimits, requireFew, requireFewLines } from './decode-limits.ts'
import { currentState, placesWith, stateOf } from './decoded-state.ts'
import type { DecodedState } from './decoded-state.ts'
import type { TakenNames } from './item-names.ts'
import { takenNames } from './item-names.ts'
import { claimAgain, messageRecord, named } from './named-parts.ts'
import type { MessageRecord, PartRecord, ToolRecord } from './named-parts.ts'
import { optional } from './optional.ts'
import { modelInPath } from './model-in-path.ts'
import type { Field } from './read-field.ts'
import { child, elements, requireArray, requireObject } from './read-field.ts'
import type { CallRecord, MessageContext, MessageReading, RequestReader, Target, ToolFacts } from './request-reader.ts'

/** What stands in a body, whatever has become of the conversation since. */
export interface WireParts {
  readonly tree: JsonTree
  readonly shape: BodyShape
  readonly items: readonly Item[]
  /** Where the item of this index stands. */
  placeAt(index: number): string
  readonly messages: readonly MessageRecord[]
}

export function wireParts(reader: RequestReader, exchange: WireExchange): WireParts {
  const state = currentState(exchange) ?? stateOf(decodeRequest(reader, exchange.wire))
  if (state === undefined) throw new TypeError('decode leaves its state with the wire')
  const { tree, messages, items } = state
  let places: readonly string[] | undefined
  const placeAt = (index: number): string => {
    places ??= partsOf(state).flatMap((part) => part.places)
    return places[index] ?? ''
  }
  return { tree, shape: reader.shape, messages, items, placeAt }
}

function partsOf({
  tools,
  system,
  messages,
}: Pick<DecodedState, 'tools' | 'system' | 'messages'>): readonly PartRecord[] {
  return [...tools.records, ...(system === undefined ? [] : [system.record]), ...messages]
}

/** Decodes a request with a dialect's reader, taking over what `previous` has read from the same bytes. */
export function decodeRequest(
  reader: RequestReader,
  { body: text, ...request }: WireRequest,
  previous?: WireExchange,
): WireExchange {
  return decodeText(reader, { ...request, text }, previous)
}

/** A request whose body need not be in one piece. */
interface TextRequest extends Omit<WireRequest, 'body'> {
  readonly text: TextSource
}

export function decodeText(
  reader: RequestReader,
  { text, ...request }: TextRequest,
  previous: WireExchange | undefined,
): WireExchange {
  const before = previous?.wire.dialect === reader.dialect ? stateOf(previous) : undefined
  const tree = scanJson(text, { previous: before?.tree, mostValues: decodeLimits.values })
  const body = requireObject({ tree, node: tree.root, path: '' })
  const target = reader.target(request, body)
  const maxOutputTokens = reader.maxOutputTokens(body)
  const taken = takenNames()
  const tools = readTools({ reader, before, taken }, body)
  const system = readSystem({ reader, before, taken }, body)
  const { messages, names } = readMessages({ reader, before }, reader.messages(body))
  const parts = partsOf({ tools, system, messages })
  const items = parts.flatMap((part) => part.items)
  requireFewLines(text.length, items)
  const spoken = [...systemMessage(system?.record), ...messages.map((record) => record.message)]
  const conversation: Conversation = {
    ...target,
    messages: spoken,
    items,
    ...toolsOf([...tools.records, ...messages.flatMap((record) => record.tools ?? [])]),
    sampling: reader.sampling(body),
    ...optional('editing', reader.editing?.(body, items)),
    ...optional('maxOutputTokens', maxOutputTokens),
  }
  const hasMostTools = conversation.tools.length >= (reader.mostTools ?? Infinity)
  const wire: Wire = {
    dialect: reader.dialect,
    path: request.path ?? pathOf(reader, target),
    headers: request.headers ?? {},
    body: tree.text.toString(),
    markers: allMarkers(reader, body, parts, items),
    places: placesWith(items.length, { tree, tools, system, messages, items, names }),
    acceptsTool: !hasMostTools && acceptsTool(reader, body),
    ...(acceptsFirstTool(reader, body) && { acceptsFirstTool: true as const }),
    keepsTool: !hasMostTools && offersTools(conversation) && reader.asksForOne(body),
    ...(hasMostTools && { hasMostTools }),
    ...(hasMostTools && acceptsTool(reader, body) && { acceptsToolInstead: true as const }),
    ...optional('cacheKey', reader.cacheKey(body)),
    ...optional('extension', extensionOf(body)),
    ...reader.kept?.(body),
  }
  return { wire, conversation }
}

function toolsOf(facts: readonly ToolFacts[]): Pick<Conversation, 'tools' | 'textTools'> {
  const textTools = facts.flatMap(({ textTool }) => textTool ?? [])
  return { tools: facts.flatMap(({ definition }) => definition ?? []), ...(textTools.length > 0 && { textTools }) }
}

/** Whether the client answers calls of any tool. Tools that the provider runs are frozen. */
function offersTools({ items }: Conversation): boolean {
  return items.some(({ kind, frozen: isFrozen }) => kind === 'tool-schema' && isFrozen !== true)
}

/** Where a body goes that came without a path; in some dialects that names the model. */
function pathOf({ path }: RequestReader, { model }: Target): string {
  return model === '' ? path : path.replace('{model}', () => modelInPath(model))
}

/** Members of a body that belong to Prehend and are never forwarded; the first that is present counts. */
export const extensionNames = ['prehend', 'bardo'] as const

function extensionOf(body: Field): Wire['extension'] {
  for (const name of extensionNames) {
    const node = member(body.tree, body.node, name)
    if (node !== undefined) return { name, value: decodeValue(body.tree, node) }
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
  requireFew('tools', field.node.children.length, decodeLimits.tools)
  if (before !== undefined && sameText(field, before.tools.raw)) {
    for (const record of before.tools.records) claimAgain(taken, record)
    return before.tools
  }
  const records = toolPlaces(reader.shape, field).map(({ tool, place }): ToolRecord => {
    const reading = reader.readTool(requireObject(tool), place)
    return {
      ...named(reading, { reader, tree: field.tree, taken }),
      ...optional('definition', reading.definition),
      ...optional('textTool', reading.textTool),
    }
  })
  return { raw: rawText(field.tree, field.node), records }
}

export interface ToolPlace {
  readonly tool: Field
  readonly place: string
}

/** The definitions, also those that stand in lists of their own. */
export function toolPlaces(shape: BodyShape, tools: Field): readonly ToolPlace[] {
  return elements(tools).flatMap((tool, index): readonly ToolPlace[] => {
    const list = shape.toolList(tool.tree, tool.node)
    if (list === undefined) return [{ tool, place: `t${index}` }]
    const path = `${tool.path}.${keyAt(tool.tree, tool.node, tool.node.children.indexOf(list))}`
    const listed = requireArray({ ...tool, node: list, path })
    return elements(listed).map((one, at) => ({ tool: one, place: `t${index}.b${at}` }))
  })
}

function readSystem({ reader, before, taken }: Reading, body: Field): DecodedState['system'] {
  const field = child(body, nameOf(body.tree, body.node, reader.shape.system))
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
  turn: number
  /** The last message is, or is of, a reply. */
  replying: boolean
}

interface MessagesRead {
  readonly messages: readonly MessageRecord[]
  readonly names: TakenNames
}

function readMessages({ reader, before }: Omit<Reading, 'taken'>, field: Field | undefined): MessagesRead {
  const fields = messageFields(field)
  requireFew(reader.shape.messages, fields.length, decodeLimits.messages)
  const queryIndex = fields.findLastIndex((message) => reader.isUserAuthored(message))
  const told: Told = { calls: new Map(), unanswered: new Set(), turn: 0, replying: false }
  const known = before === undefined ? 0 : countIntact(before, fields)
  const messages: MessageRecord[] = []
  for (const [index, old] of (before?.messages ?? []).slice(0, known).entries()) {
    const message = fields[index]
    if (message === undefined) break
    const isQuery = index === queryIndex
    const same = old.node === message.node ? old : { ...old, node: message.node }
    const record =
      old.isQuery === isQuery
        ? same
        : readAgain(same, reader.readMessage(message, contextOf(reader, told, { message, index, isQuery })), isQuery)
    tell(reader, told, record)
    messages.push(record)
  }
  const names = namesAfter(before, known)
  for (const [index, message] of fields.entries()) {
    if (index < known) continue
    const isQuery = index === queryIndex
    const reading = reader.readMessage(message, contextOf(reader, told, { message, index, isQuery }))
    const record = messageRecord(reading, { reader, field: message, taken: names, isQuery })
    tell(reader, told, record)
    messages.push(record)
  }
  return { messages, names }
}

function messageFields(field: Field | undefined): readonly Field[] {
  if (field === undefined) return []
  return field.node.kind === 'string' ? [field] : elements(field).map(requireObject)
}

interface MessagePlace {
  readonly message: Field
  readonly index: number
  readonly isQuery: boolean
}

function contextOf(reader: RequestReader, told: Told, { message, index, isQuery }: MessagePlace): MessageContext {
  const goesOn = told.replying && reader.shape.partsReplies && reader.shape.isOfReply(message.tree, message.node)
  return { ...told, turn: goesOn ? told.turn - 1 : told.turn, id: `m${index}`, isQuery }
}

/** How many messages at the front are as they were. */
function countIntact(before: DecodedState, fields: readonly Field[]): number {
  const changed = fields.findIndex((message, index) => {
    const old = before.messages[index]
    return old === undefined || !sameMessage(message, old, before.tree)
  })
  return changed < 0 ? fields.length : changed
}

/** A message that was the query and is none any more, or the other way round: its items are called as they were. */
function readAgain(old: MessageRecord, reading: MessageReading, isQuery: boolean): MessageRecord {
  const items = reading.items.map((item, index): Item => {
    const { id = item.id, provenance } = old.items[index] ?? {}
    return frozen({ ...item, id, ...optional('provenance', provenance) })
  })
  return { ...old, items, isQuery }
}

/** The names of the messages before are taken; where all of them are still there, nobody has to tell them again. */
function namesAfter(before: DecodedState | undefined, known: number): TakenNames {
  if (before !== undefined && known === before.messages.length) return takenNames(before.names)
  const names = takenNames()
  for (const record of before?.messages.slice(0, known) ?? []) claimAgain(names, record)
  return names
}

function tell(reader: RequestReader, told: Told, { items, calls, message }: MessageRecord): void {
  for (const call of calls) {
    told.calls.set(call.id, call)
    told.unanswered.add(call.id)
  }
  for (const item of items) {
    if (item.role === 'tool' && item.toolCallId !== undefined) told.unanswered.delete(item.toolCallId)
  }
  const replies = message.role === 'assistant'
  const goesOn = told.replying && reader.shape.partsReplies
  if (replies && !goesOn) told.turn += 1
  told.replying = replies
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
  const node = reader.shape.toolsIn(body.tree)
  return node !== undefined && reader.acceptsTool(body, { tree: body.tree, node, path: 'tools' })
}

function acceptsFirstTool(reader: RequestReader, body: Field): boolean {
  const tools = reader.shape.toolsIn(body.tree)
  return (
    (tools === undefined || tools.children.length === 0) && reader.asksForOne(body) && reader.acceptsFirstTool(body)
  )
}
