import type {
  Conversation,
  Dialect,
  EncodeView,
  Item,
  Loss,
  LossKind,
  Message,
  Role,
  TextTool,
  ToolDefinition,
} from '../core/index.ts'
import { isJsonObject, grouped } from '../core/index.ts'
import { callIds, nameWithin, sentNames, wholeName } from './crossing-names.ts'
import type { CalledTool, NameRule } from './crossing-names.ts'
import { requireNothingMade } from './encode-request.ts'
import { functionSchema } from './function-schema.ts'
import { jsonSchema } from './open-schema.ts'
import { parseData } from './reply-body.ts'
import { wholeCharacters } from './whole-characters.ts'

/** What a body is written from beside the conversation. */
export interface WriteView extends Pick<EncodeView, 'pack' | 'items' | 'hiddenTools' | 'made'> {
  /** Where the bytes of a media item are that has no URL of its own, as a `data:` URL: `mediaUrl` of the codec that read it. */
  readonly mediaUrl?: (itemId: string) => string | undefined
  /** How long a reply of the model may be, where the client says no limit and the dialect wants one. */
  readonly mostOutputTokens?: number
  /** False for a server that refuses to be asked for the usage of a stream. */
  readonly asksUsage?: boolean
}

/** A request in a dialect, and what the dialect could not express. */
export interface WrittenRequest {
  readonly body: string
  /** What the body does not hold, or not as it was. */
  readonly lost: readonly Loss[]
  /** The client's tools by the names under which the body has them. */
  readonly names?: ReadonlyMap<string, CalledTool>
}

/** An item, with the text that it shows. */
export interface Piece {
  readonly item: Item
  readonly text: string
}

/** What one speaker says in one message. */
export interface Saying {
  readonly messageId: string
  readonly role: Role
  readonly name?: string
  readonly pieces: readonly Piece[]
}

/** A tool that takes a text has no schema. */
export type DraftTool = ToolDefinition | TextTool

/** What a writer is given: a conversation in an order that every dialect allows, and a place for its losses. */
export interface Draft {
  readonly conversation: Conversation
  readonly sayings: readonly Saying[]
  readonly tools: readonly DraftTool[]
  /** Whether it is the call of a tool that takes a text, or its result. */
  takesText(item: Item): boolean
  mediaUrl(item: Item): string | undefined
  /** How long a reply of the model may be, as far as is known. */
  readonly mostOutputTokens?: number
  /** Whether a stream is to be asked for what it uses, where its dialect wants that. */
  readonly asksUsage: boolean
  lose(kind: LossKind, what: string, why: string): void
}

/** How a dialect is written, and the names that it takes. */
export interface DialectWriting {
  readonly dialect: Dialect
  readonly toolNames: NameRule
  readonly callIds: NameRule
  write(draft: Draft): readonly string[]
}

/** Writes a whole body of a dialect from a conversation alone. */
export function writeRequest(writing: DialectWriting, given: Conversation, view: WriteView = {}): WrittenRequest {
  const lost: Loss[] = []
  const lose = (kind: LossKind, what: string, why: string): void => void lost.push({ kind, what, why })
  const conversation = renamed(given, writing)
  const shown = shownPieces(conversation, view).map((piece) => readable(piece, writing))
  const textTools = new Set((conversation.textTools ?? []).map(({ name }) => name))
  const draft: Draft = {
    conversation,
    sayings: inOrder(sayingsOf(conversation, pairsOnly(shown, lose))),
    tools: [...toolsOf(conversation, shown, lose), ...(view.hiddenTools ?? [])],
    takesText: ({ toolName = '' }) => textTools.has(toolName),
    mediaUrl: (item) => view.made?.get(item.id) ?? item.media?.url ?? view.mediaUrl?.(item.id),
    ...(view.mostOutputTokens !== undefined && { mostOutputTokens: view.mostOutputTokens }),
    asksUsage: view.asksUsage ?? true,
    lose,
  }
  for (const { item, text } of shown)
    if (wholeCharacters(text) !== text) lose('text', item.id, 'halves of characters are refused')
  return {
    body: wholeCharacters(`{${writing.write(draft).join(',')}}`),
    lost,
    names: sentNames(given, writing.toolNames),
  }
}

/** The conversation with ids and names that the dialect takes; each call has an id of its own. */
function renamed(given: Conversation, { toolNames, callIds: ids }: DialectWriting): Conversation {
  const nameOf = (tool: CalledTool): string => nameWithin(wholeName(tool), toolNames)
  const idOf = callIds(given.items, ids)
  const { toolChoice } = given.sampling
  return {
    ...given,
    items: given.items.map((item) => renamedItem(item, { nameOf, idOf })),
    tools: given.tools.map((tool) => ({ ...tool, name: nameOf(tool) })),
    ...(given.textTools && { textTools: given.textTools.map((tool) => ({ ...tool, name: nameOf(tool) })) }),
    ...(typeof toolChoice === 'object' && {
      sampling: { ...given.sampling, toolChoice: { name: nameOf(toolChoice) } },
    }),
  }
}

interface Renaming {
  nameOf(tool: CalledTool): string
  readonly idOf: ReadonlyMap<string, string>
}

function renamedItem(item: Item, { nameOf, idOf }: Renaming): Item {
  const { toolName: name, toolNamespace: namespace, toolCallId, group = '' } = item
  if (name === undefined && toolCallId === undefined) return item
  const id = toolCallId === undefined ? undefined : (idOf.get(group) ?? toolCallId)
  return {
    ...item,
    ...(name !== undefined && { toolName: nameOf({ name, ...(namespace !== undefined && { namespace }) }) }),
    ...(id !== undefined && { toolCallId: id }),
  }
}

/** What stands for all before it no assistant has said. */
function isCompaction(text: string): boolean {
  const block = parseData(text)
  return isJsonObject(block) && block['type'] === 'compaction'
}

/** Where only its provider reads the form of an item, its words go in their place. */
function readable({ item, text }: Piece, { dialect }: DialectWriting): Piece {
  const { kind, words, toolCallId } = item
  const isOwn = item.provenance?.sourceId.startsWith(`${dialect}:`) === true
  if (kind !== 'opaque' || words === undefined || isOwn) return { item, text }
  const isResult = item.role === 'tool' && toolCallId !== undefined
  const role = isCompaction(text) ? { role: 'user' as const } : {}
  return { item: { ...item, ...role, kind: isResult ? 'tool-result' : 'text' }, text: words }
}

function shownPieces(conversation: Conversation, { pack, items: added = [], made }: WriteView): readonly Piece[] {
  const isMade = ({ item: { id } }: Piece): boolean => made?.has(id) === true
  const written = (piece: Piece): readonly Piece[] =>
    isMade(piece) ? [asWritten({ ...piece, text: '' }), asWritten(piece)] : [asWritten(piece)]
  const requireMade = (piece: Piece): void => {
    if (piece.item.kind === 'media' && !isMade(piece)) requireNothingMade(piece.item.id, piece.text)
  }
  if (pack === undefined) return conversation.items.map((item) => asWritten({ item, text: item.text }))
  const known = new Map([...conversation.items, ...added].map((item) => [item.id, item]))
  const pieces = pack.entries.map(({ itemId, section, text }): Piece => {
    return { item: known.get(itemId) ?? { id: itemId, section, kind: 'text', text }, text }
  })
  for (const piece of pieces) requireMade(piece)
  if (pack.layout === 'messages') return pieces.flatMap(written)
  const laidOut = pack.messages.map(({ role, text }, index): Piece => {
    return { item: { id: `laid-out:${index}`, section: 'task', kind: 'text', role, text }, text }
  })
  const beside = pieces.filter(
    (piece) =>
      piece.item.kind === 'tool-schema' || (piece.item.kind === 'media' && (piece.text === '' || isMade(piece))),
  )
  return [...laidOut, ...beside.map((piece) => ({ ...piece, item: { ...piece.item, ...asUser(piece.item) } }))]
}

/** Media that is shown as words is words; what stands behind results, of no call, the user shows. */
function asWritten({ item, text }: Piece): Piece {
  if (item.kind !== 'media') return { item, text }
  const isOfCall = item.role === 'tool' && item.toolCallId !== undefined
  const own: Item = item.role === 'tool' && !isOfCall ? { ...item, role: 'user' } : item
  return { item: text === '' ? own : { ...own, kind: isOfCall ? 'tool-result' : 'text' }, text }
}

function asUser({ kind }: Item): Partial<Item> {
  return kind === 'media' ? { role: 'user' } : {}
}

/** Calls that are answered and answers to them; the others no provider takes. */
function pairsOnly(pieces: readonly Piece[], lose: Draft['lose']): readonly Piece[] {
  const groups = (isCall: boolean): ReadonlySet<string | undefined> =>
    new Set(pieces.flatMap(({ item }) => ((item.kind === 'tool-call') === isCall ? [item.group] : [])))
  const [called, answered] = [groups(true), groups(false)]
  return pieces.filter(({ item }) => {
    if (item.kind !== 'tool-call' && item.role !== 'tool') return true
    const isCall = item.kind === 'tool-call'
    const paired = item.toolCallId !== undefined && (isCall ? answered : called).has(item.group)
    if (!paired) lose(isCall ? 'call' : 'result', item.id, isCall ? 'it has no result' : 'it has no call')
    return paired
  })
}

function sayingsOf({ messages }: Conversation, pieces: readonly Piece[]): readonly Saying[] {
  const messageOf = new Map(messages.flatMap((message) => message.itemIds.map((id) => [id, message] as const)))
  const sayings: (Saying & { readonly pieces: Piece[] })[] = []
  for (const piece of pieces) {
    const { item } = piece
    if (item.kind === 'tool-schema' || saysNothing(piece)) continue
    const message: Message | undefined = messageOf.get(item.id)
    const role = item.role ?? message?.role ?? 'user'
    const messageId = message?.id ?? item.id
    const last = sayings.at(-1)
    if (last?.role === role && (last.messageId === messageId || isSameTurn(last, piece))) last.pieces.push(piece)
    else
      sayings.push({ messageId, role, ...(message?.name === undefined ? {} : { name: message.name }), pieces: [piece] })
  }
  return sayings
}

/** Streams end in empty words, which clients send back; between calls and their results no provider takes them. */
function saysNothing({ item, text }: Piece): boolean {
  return item.role === 'assistant' && item.kind === 'text' && text === ''
}

/** Some dialects tell words and calls of one turn in messages of their own; no other dialect takes parallel calls apart. */
function isSameTurn({ role, pieces }: Saying, { item }: Piece): boolean {
  return role === 'assistant' && [...pieces.map((piece) => piece.item), item].some(({ kind }) => kind === 'tool-call')
}

/** What stands between calls and their results comes after these. */
function inOrder(sayings: readonly Saying[]): readonly Saying[] {
  const open = new Set<string | undefined>()
  const answers = new Map<string | undefined, number>()
  for (const { pieces, role } of sayings) {
    if (role === 'tool') for (const { item } of pieces) answers.set(item.group, (answers.get(item.group) ?? 0) + 1)
  }
  const ordered: Saying[] = []
  let waiting: Saying[] = []
  for (const saying of sayings) {
    if (open.size > 0 && saying.role !== 'tool') waiting.push(saying)
    else ordered.push(saying)
    for (const { item } of saying.pieces) {
      if (item.kind === 'tool-call') open.add(item.group)
      const left = (answers.get(item.group) ?? 0) - 1
      if (saying.role === 'tool') answers.set(item.group, left)
      if (saying.role === 'tool' && left === 0) open.delete(item.group)
    }
    if (open.size > 0) continue
    ordered.push(...waiting)
    waiting = []
  }
  return [...ordered, ...waiting]
}

function toolsOf(conversation: Conversation, pieces: readonly Piece[], lose: Draft['lose']): readonly DraftTool[] {
  const { tools, textTools = [] } = conversation
  const known = new Map([...tools, ...textTools].map((tool) => [tool.name, tool]))
  return pieces.flatMap(({ item, text }): DraftTool[] => {
    if (item.kind !== 'tool-schema') return []
    const tool = known.get(item.toolName ?? '')
    if (tool === undefined) lose('tool', item.toolName ?? item.id, 'it has no schema, or the provider runs it')
    if (tool === undefined) return []
    const shown: ShownTool = text === item.text ? { description: tool.description } : shownTool(text)
    if (!('schema' in tool)) return [{ ...tool, description: shown.description }]
    const { schema, isFolded } = functionSchema(shown.schema ?? tool.schema)
    if (isFolded) lose('tool', tool.name, 'its schema has to be an object at the top, without anyOf, oneOf or allOf')
    return [{ ...tool, description: shown.description, schema }]
  })
}

/** Where definitions have their schemas, in whatever dialect. */
const schemaMembers = ['input_schema', 'parametersJsonSchema', 'parameters_json_schema', 'parameters'] as const

type ShownTool = Pick<ToolDefinition, 'description'> & Partial<ToolDefinition>

/** Description and schema of a definition that is shown shortened, in whatever dialect it was read. */
function shownTool(text: string): ShownTool {
  const value = parseData(text)
  const outer = isJsonObject(value) ? value : {}
  const inner = outer['function'] ?? outer['custom']
  const tool = isJsonObject(inner) ? inner : outer
  const schema = schemaMembers.map((name) => tool[name]).find((found) => found !== undefined)
  return {
    description: typeof tool['description'] === 'string' ? tool['description'] : '',
    ...(schema === undefined ? {} : { schema: jsonSchema(schema) }),
  }
}

/** The pieces of a saying of tools, by the call that they answer. */
export function byCall(pieces: readonly Piece[]): ReadonlyMap<string, readonly Piece[]> {
  return grouped(pieces, ({ item }) => item.toolCallId ?? '')
}

/** A member with its value as JSON, or nothing where there is no value. */
export function jsonMember(name: string, value: unknown): readonly string[] {
  return value === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)}`]
}

/** A raw object of raw members. */
export function rawObject(members: readonly string[]): string {
  return `{${members.join(',')}}`
}

export function rawArray(elements: readonly string[]): string {
  return `[${elements.join(',')}]`
}
