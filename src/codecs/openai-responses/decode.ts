import type { CacheMarker, Item, Role, WireRequest } from '../../core/index.ts'
import { decodeString, invalidInput, isTrue, member, present, rawText, stringAt } from '../../core/index.ts'
import type {
  CallRecord,
  MessageContext,
  MessageReading,
  RequestReader,
  Target,
  ToolReading,
} from '../request-reader.ts'
import { targetInBody } from '../request-reader.ts'
import { claimCall } from '../claim-call.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'
import {
  child,
  elements,
  optionalBoolean,
  optionalString,
  optionalTokenCount,
  requireObject,
  requireString,
  requiredString,
} from '../read-field.ts'
import type { ItemDetails, Speaker } from '../wire-item.ts'
import { mediaItem, textKind, wireItem } from '../wire-item.ts'
import { secretTokens } from './secret-tokens.ts'
import { callMember, callName, isResult, itemType, listsTools, roleOf } from './items.ts'
import { mediaParts, responsesMedia } from './media.ts'
import { responsesEditing } from './editing.ts'
import { responsesSampling } from './sampling.ts'
import { namespaceIn, plainNamespace, readTool, readToolAlone, withNamespace } from './read-tools.ts'
import { saidWords } from './said-words.ts'
import { responsesShape } from './shape.ts'
import { markedOwner } from '../reasoning/owner.ts'

const halfHourMs = 1_800_000
const twelveHoursMs = 43_200_000
const roles: ReadonlySet<string> = new Set<Role>(['system', 'developer', 'user', 'assistant'])
/** Parts that are nothing but words. */
const textParts: ReadonlySet<string> = new Set(['input_text', 'output_text', 'text'])

export const responsesReader: RequestReader = {
  dialect: 'openai-responses',
  path: '/v1/responses',
  shape: responsesShape,
  target,
  readTool,
  readSystem,
  messages,
  readMessage,
  isUserAuthored: ({ tree, node }) => node.kind === 'string' || stringAt(tree, node, 'role') === 'user',
  acceptsTool,
  acceptsFirstTool,
  asksForOne,
  mostTools: 128,
  bodyMarker: () => undefined,
  kept,
  cacheKey: (body) => optionalString(body, 'prompt_cache_key'),
  sampling: responsesSampling,
  editing: responsesEditing,
  maxOutputTokens: (body) => optionalTokenCount(body, 'max_output_tokens', 1),
}

interface Entry {
  readonly field: Field
  readonly type: string
  readonly speaker: Speaker
  readonly context: MessageContext
  /** What a tool's result shares with its call. */
  readonly pair: Partial<ItemDetails>
}

/** A prompt that the provider keeps may name the model. */
function target(request: Pick<WireRequest, 'path'>, body: Field): Target {
  const isKept = present(body.tree, body.node, 'prompt') !== undefined && child(body, 'model') === undefined
  return isKept ? { model: '', stream: optionalBoolean(body, 'stream') ?? false } : targetInBody(request, body)
}

function readSystem(body: Field): { items: readonly Item[]; markers: readonly CacheMarker[] } | undefined {
  const field = child(body, 'instructions')
  if (field === undefined) return undefined
  const speaker: Speaker = { role: 'system', turn: 0, isQuery: false }
  return { items: [wireItem(speaker, { id: 's0', kind: 'instruction', text: requireString(field) })], markers: [] }
}

/** Members that say what the model is to answer where there is no input. */
const insteadOfInput = ['previous_response_id', 'conversation', 'prompt'] as const

function messages(body: Field): Field | undefined {
  const field = child(body, 'input')
  const isFree = insteadOfInput.some((name) => present(body.tree, body.node, name) !== undefined)
  if (field?.node.kind === 'string') return field
  if (field === undefined && isFree) return undefined
  if (field === undefined) throw invalidInput('input', 'missing', 'Send a string or an array of items.')
  if (field.node.kind !== 'array') throw invalidInput('input', 'wrong type', 'Send a string or an array of items.')
  if (field.node.children.length === 0 && !isFree) throw invalidInput('input', 'empty', 'Send at least one item.')
  return field
}

function readMessage(field: Field, context: MessageContext): MessageReading {
  const { tree, node } = field
  const { id, turn, isQuery } = context
  if (node.kind === 'string') {
    const item = wireItem({ role: 'user', turn, isQuery }, { id, kind: 'text', text: requireString(field) })
    return { role: 'user', items: [item], markers: [], calls: [] }
  }
  const type = itemType(tree, node) ?? requiredString(field, 'type')
  const role = type === 'message' ? requireRole(field) : roleOf(tree, node, type)
  const entry: Entry = { field, type, speaker: { role, turn, isQuery }, context, pair: {} }
  if (type === 'message') return { role, ...readContent(entry), calls: [] }
  if (listsTools(type)) return { role, ...readTools(entry), calls: [] }
  const execution = stringAt(tree, node, 'execution')
  const words = callMember(type, execution)
  if (words !== undefined) return { role, ...readCall(entry, words) }
  return { role, ...(isResult(type, execution) ? readResult(entry) : whole(entry, type)), calls: [] }
}

/** The tools that an input item brings. */
function readTools(entry: Entry): Contents & Pick<MessageReading, 'tools'> {
  const { field, context } = entry
  const list = child(field, 'tools')
  if (list?.node.kind !== 'array' || list.node.children.length === 0) return whole(entry)
  const tools = elements(list).flatMap((tool, index): readonly ToolReading[] => {
    const id = `${context.id}.b${index}`
    const inner = responsesShape.toolList(tool.tree, tool.node)
    if (inner === undefined) return [readToolAlone(requireObject(tool), id)]
    const parts = elements({ tree: tool.tree, node: inner, path: `${tool.path}.tools` })
    const isCalledPlainly = stringAt(tool.tree, tool.node, 'name') === plainNamespace
    return parts.map((part, at) => {
      const reading = readToolAlone(requireObject(part), `${id}.p${at}`)
      return withNamespace(reading, isCalledPlainly ? undefined : stringAt(tool.tree, tool.node, 'name'))
    })
  })
  return { items: tools.flatMap(({ items }) => items), markers: [], tools }
}

function requireRole(field: Field): Role {
  const role = requiredString(field, 'role')
  if (isRole(role)) return role
  const remedy = `Send one of ${[...roles].join(', ')}.`
  throw invalidInput(`${field.path}.role`, `unknown role ${JSON.stringify(role)}`, remedy)
}

function isRole(role: string): role is Role {
  return roles.has(role)
}

interface Contents {
  readonly items: readonly Item[]
  readonly markers: readonly CacheMarker[]
}

/** What goes back as it is. */
function whole({ field, speaker, context, pair }: Entry, type = ''): Contents {
  const kind = type === 'reasoning' ? 'reasoning' : pair.group === undefined ? 'opaque' : 'tool-result'
  const text = rawText(field.tree, field.node)
  const secret = stringAt(field.tree, field.node, 'encrypted_content')
  const isSealed = secret !== undefined && secret !== '' && markedOwner(secret) === undefined
  const tokens = !isSealed ? undefined : secretTokens(secret.length)
  const item = {
    ...pair,
    id: `${context.id}.w`,
    kind,
    text,
    ...saidWords(field, kind),
    ...optional('tokens', tokens),
    frozen: true,
  } as const
  return { items: [wireItem(speaker, item)], markers: [] }
}

function readCall(entry: Entry, name: string): Contents & { readonly calls: readonly CallRecord[] } {
  const { field, type, speaker, context } = entry
  const path = child(field, 'call_id') === undefined && type !== 'function_call' ? 'id' : 'call_id'
  const callId = requiredString(field, path)
  const called = type === 'function_call' || type === 'custom_tool_call' ? requiredString(field, 'name') : undefined
  const toolName = callName(type, called)
  const record = claimCall(context, new Set(), { id: callId, name: toolName, path: `${field.path}.${path}` })
  const words = child(field, name)
  const isWords = words?.node.kind === 'string'
  if (!isWords && called !== undefined && words !== undefined)
    throw invalidInput(words.path, 'wrong type', 'Send a string.')
  const item = wireItem(speaker, {
    id: `${context.id}.${isWords ? name : 'w'}`,
    kind: 'tool-call',
    text: isWords ? decodeString(words.tree, words.node) : rawText(field.tree, words?.node ?? field.node),
    group: record.group,
    toolName,
    ...optional('toolNamespace', namespaceIn(field)),
    toolCallId: callId,
    ...(isWords ? {} : { frozen: true }),
  })
  return { items: [item], markers: [], calls: [record] }
}

/** The call of a result may be kept by the provider, and named by an item or by nothing here. */
function readResult(entry: Entry): Contents {
  const { field, context } = entry
  const path = child(field, 'call_id') === undefined ? 'id' : 'call_id'
  const callId = requiredString(field, path)
  const call = context.calls.get(callId)
  const pair = { group: call?.group ?? callId, toolCallId: callId, ...optional('toolName', call?.name) }
  const output = child(field, 'output')
  const answer = { ...entry, pair }
  if (member(field.tree, field.node, 'content') !== undefined) return whole(answer)
  if (output !== undefined && isScreenshot(output)) return screenshot(answer, output)
  if (output?.node.kind === 'string' || (output?.node.kind === 'array' && isParts(output))) return readContent(answer)
  return whole(answer)
}

function isScreenshot({ tree, node }: Field): boolean {
  return node.kind === 'object' && stringAt(tree, node, 'type') === 'computer_screenshot'
}

/** What the provider's own computer tool wants for a result: a picture, and never words in its place. */
function screenshot({ speaker, context, pair }: Entry, output: Field): Contents {
  const media = responsesMedia(output, 'computer_screenshot')
  const item = { ...pair, id: `${context.id}.w`, kind: 'media', text: '', media, frozen: true } as const
  return { items: [wireItem(speaker, item)], markers: [] }
}

/** Whether an output consists of parts such as a message has. */
function isParts(output: Field): boolean {
  return output.node.children.some((part) => stringAt(output.tree, part, 'type')?.startsWith('input_'))
}

function readContent(entry: Entry): Contents {
  const { field, context, speaker } = entry
  const content = child(field, 'content') ?? child(field, 'output')
  if (content === undefined) {
    if (speaker.role === 'assistant') return whole(entry)
    throw invalidInput(`${field.path}.content`, 'missing', 'Send a string or an array of parts.')
  }
  if (content.node.kind === 'string') return { items: [spoken(entry, context.id, requireString(content))], markers: [] }
  if (content.node.kind !== 'array')
    throw invalidInput(content.path, 'wrong type', 'Send a string or an array of parts.')
  const parts = elements(content).map(requireObject)
  if (parts.length === 0) return whole(entry)
  return {
    items: parts.map((part, index) => readPart(entry, part, `${context.id}.b${index}`)),
    markers: parts.flatMap((part, index) => markersOf(part, `${context.id}.b${index}`)),
  }
}

function spoken({ speaker, pair }: Entry, id: string, text: string): Item {
  return wireItem(speaker, {
    ...pair,
    id,
    kind: speaker.role === 'tool' ? 'tool-result' : textKind(speaker.role),
    text,
  })
}

function readPart(entry: Entry, part: Field, id: string): Item {
  const { speaker, pair } = entry
  const type = requiredString(part, 'type')
  const media = Object.hasOwn(mediaParts, type) ? responsesMedia(part, type) : undefined
  if (media !== undefined) return mediaItem(speaker, { ...pair, id, media })
  if (!textParts.has(type))
    return wireItem(speaker, { ...pair, id, kind: 'opaque', text: rawText(part.tree, part.node), frozen: true })
  const text = child(part, 'text')
  if (text === undefined) throw invalidInput(`${part.path}.text`, 'missing', 'Send a string.')
  const item = spoken(entry, id, requireString(text))
  return isAnnotated(part) ? { ...item, frozen: true } : item
}

/** Annotations tell places in the words. */
function isAnnotated({ tree, node }: Field): boolean {
  return (member(tree, node, 'annotations')?.children.length ?? 0) > 0
}

function kept(body: Field): ReturnType<NonNullable<RequestReader['kept']>> {
  const store = present(body.tree, body.node, 'store')
  const isKept = store === undefined || isTrue(body.tree, store)
  return {
    ...optional('continues', optionalString(body, 'previous_response_id')),
    ...(isKept && { isKept }),
    ...optional('unplanned', unplanned(body)),
  }
}

/** What is added to a conversation of the provider's, or said when nobody listens, cannot be told from what is the client's. */
function unplanned({ tree, node }: Field): string | undefined {
  if (present(tree, node, 'conversation') !== undefined) return 'conversation'
  return isTrue(tree, member(tree, node, 'background')) ? 'background' : undefined
}

function asksForOne(body: Field): boolean {
  return present(body.tree, body.node, 'input') !== undefined && unplanned(body) === undefined
}

function acceptsTool(body: Field, tools: Field): boolean {
  const { tree, node } = body
  const choice = present(tree, node, 'tool_choice')
  if (choice !== undefined && !(choice.kind === 'string' && decodeString(tree, choice) === 'auto')) return false
  if (!asksForOne(body)) return false
  return tools.node.children.some((tool) => clientTools.has(stringAt(tree, tool, 'type')))
}

/** A template of the provider's may bring tools, and a form of the answer leaves no room for calls. */
function acceptsFirstTool(body: Field): boolean {
  const { tree, node } = body
  if (['tool_choice', 'prompt'].some((name) => present(tree, node, name) !== undefined)) return false
  const format = member(tree, member(tree, node, 'text'), 'format')
  return format === undefined || stringAt(tree, format, 'type') === 'text'
}

/** Tools whose calls the client answers. */
const clientTools: ReadonlySet<string | undefined> = new Set(['function', 'custom', 'namespace'])

function markersOf(part: Field, itemId: string): readonly CacheMarker[] {
  const marker = member(part.tree, part.node, 'prompt_cache_breakpoint')
  if (marker?.kind !== 'object') return []
  return [{ itemId, ttlMs: stringAt(part.tree, marker, 'ttl') === '12h' ? twelveHoursMs : halfHourMs }]
}
