import type { CacheMarker, Item, Role } from '../../core/index.ts'
import {
  decodeString,
  decodeValue,
  invalidInput,
  member,
  present,
  rawText,
  rehydrateToolName,
  stringAt,
} from '../../core/index.ts'
import { plainShape } from '../body-shape.ts'
import type { CallRecord, MessageContext, MessageReading, RequestReader, ToolReading } from '../request-reader.ts'
import { targetInBody } from '../request-reader.ts'
import { claimCall, requireCall } from '../claim-call.ts'
import { functionDefinition } from '../function-definition.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'
import {
  child,
  elements,
  optionalString,
  optionalTokenCount,
  requireArray,
  requireObject,
  requireString,
  requiredMessages,
  requiredString,
} from '../read-field.ts'
import { textToolOf } from '../text-tools/text-tool.ts'
import type { ItemDetails, Speaker } from '../wire-item.ts'
import { mediaItem, textKind, toolItem, wireItem } from '../wire-item.ts'
import type { ForeignReading } from './foreign-blocks.ts'
import { isOfResults, readForeign } from './foreign-blocks.ts'
import { mediaParts, openaiMedia } from './media.ts'
import { openaiSampling } from './sampling.ts'

const dialect = 'openai-chat'
const fiveMinutesMs = 300_000
const halfHourMs = 1_800_000
const twelveHoursMs = 43_200_000
const roles: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'developer',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
}
/** Members in which servers of this dialect carry reasoning that wants to come back. */
const reasoningMembers = ['reasoning_content', 'reasoning', 'reasoning_details'] as const

export const openaiReader: RequestReader = {
  dialect,
  path: '/v1/chat/completions',
  shape: plainShape,
  target: targetInBody,
  readTool,
  readSystem: () => undefined,
  messages: requiredMessages,
  readMessage,
  isUserAuthored,
  acceptsTool,
  acceptsFirstTool: ({ tree, node }) => speaksAgainst.every((name) => present(tree, node, name) === undefined),
  asksForOne,
  mostTools: 128,
  bodyMarker: () => undefined,
  cacheKey: (body) => optionalString(body, 'prompt_cache_key'),
  sampling: openaiSampling,
  maxOutputTokens: (body) =>
    optionalTokenCount(body, 'max_completion_tokens', 1) ?? optionalTokenCount(body, 'max_tokens', 1),
}

/** Members that only requests with tools have, or that some servers refuse beside tools. */
const speaksAgainst = ['tool_choice', 'functions', 'function_call', 'response_format', 'web_search_options', 'audio']

interface Message {
  readonly field: Field
  readonly role: Role
  readonly speaker: Speaker
  readonly context: MessageContext
  /** What a tool's result shares with its call. */
  readonly pair: Partial<ItemDetails>
}

function readTool(field: Field, id: string): ToolReading {
  const type = requiredString(field, 'type')
  const body = child(field, type)
  const name = body?.node.kind === 'object' ? requiredString(body, 'name') : undefined
  if (type === 'function' && name === undefined)
    throw invalidInput(`${field.path}.function`, 'missing', 'Send an object.')
  const text = rawText(field.tree, field.node)
  const known = type === 'function' || type === 'custom'
  const item = toolItem({ id, kind: 'tool-schema', text, ...optional('toolName', name), frozen: !known })
  const reading = { items: [item], markers: [] }
  if (body === undefined || name === undefined) return reading
  if (type === 'custom') return { ...reading, textTool: textToolOf(body, name) }
  if (type !== 'function') return reading
  return { ...reading, definition: functionDefinition(body, name) }
}

function readMessage(field: Field, context: MessageContext): MessageReading {
  const name = requiredString(field, 'role')
  const role = Object.hasOwn(roles, name) ? roles[name] : undefined
  if (role === undefined) {
    throw invalidInput(
      `${field.path}.role`,
      `unknown role ${JSON.stringify(name)}`,
      `Send one of ${Object.keys(roles).join(', ')}.`,
    )
  }
  const isBroughtBack = isOfRehydrate(field)
  const speaker: Speaker = { role: isBroughtBack ? 'tool' : role, turn: context.turn, isQuery: context.isQuery }
  const pair = isBroughtBack ? { toolName: rehydrateToolName } : readPair(field, name, context)
  const message: Message = { field, role, speaker, context, pair }
  const taken = new Set<string>()
  const calls = role === 'assistant' ? readCalls(message, taken) : []
  const content = readContent(message, taken)
  const items = [...readReasoning(message), ...content.items, ...readExtras(message), ...calls.map((call) => call.item)]
  return {
    role,
    ...optional('name', stringAt(field.tree, field.node, 'name')),
    items,
    markers: content.markers,
    calls: [...content.calls, ...calls.flatMap((call) => call.record ?? [])],
  }
}

function isUserAuthored(field: Field): boolean {
  if (stringAt(field.tree, field.node, 'role') !== 'user' || isOfRehydrate(field)) return false
  const content = child(field, 'content')
  return content === undefined || !isOfResults(content)
}

/** Media that a handle has brought back: results hold no media here, so that they come in a message behind them. */
function isOfRehydrate({ tree, node }: Field): boolean {
  return stringAt(tree, node, 'role') === 'user' && stringAt(tree, node, 'name') === rehydrateToolName
}

/** For a tool message, the call that it answers. */
function readPair(field: Field, role: string, context: MessageContext): Partial<ItemDetails> {
  if (role === 'function') return { ...optional('toolName', optionalString(field, 'name')), frozen: true }
  if (role !== 'tool') return {}
  const callId = requiredString(field, 'tool_call_id')
  const call = requireCall(context.calls, callId, `${field.path}.tool_call_id`)
  return { group: call.group, toolName: call.name, toolCallId: callId }
}

interface ContentReading {
  readonly items: readonly Item[]
  readonly calls: readonly CallRecord[]
  readonly markers: readonly CacheMarker[]
}

const plainContent = (items: readonly Item[]): ContentReading => ({ items, calls: [], markers: [] })

function readContent(message: Message, taken: Set<string>): ContentReading {
  const { field, role, context } = message
  const content = child(field, 'content')
  if (content === undefined) {
    if (role === 'assistant' || role === 'tool') return plainContent(emptyResult(message))
    throw invalidInput(`${field.path}.content`, 'missing', 'Send a string or an array of parts.')
  }
  if (content.node.kind === 'string') return plainContent([spoken(message, context.id, requireString(content))])
  if (content.node.kind !== 'array')
    throw invalidInput(content.path, 'wrong type', 'Send a string or an array of parts.')
  const parts = elements(content).map(requireObject)
  if (parts.length === 0) return plainContent(emptyResult(message))
  const called = new Set(taken)
  const readings = parts.map((part, index) => {
    return readPart(message, part, { id: `${context.id}.b${index}`, called, taken })
  })
  return {
    items: readings.flatMap(({ items }) => items),
    calls: readings.flatMap(({ call }) => call ?? []),
    markers: parts.flatMap((part, index) => markersOf(part, `${context.id}.b${index}`)),
  }
}

/** A result without content still belongs to its call. */
function emptyResult(message: Message): readonly Item[] {
  const { role, speaker, pair, context } = message
  if (role !== 'tool') return []
  return [wireItem(speaker, { ...pair, id: context.id, kind: 'tool-result', text: '', frozen: true })]
}

function spoken(message: Message, id: string, text: string): Item {
  const { role, speaker, pair } = message
  return wireItem(speaker, { ...pair, id, kind: role === 'tool' ? 'tool-result' : textKind(role), text })
}

interface PartPlace {
  readonly id: string
  readonly called: ReadonlySet<string>
  readonly taken: Set<string>
}

function readPart(message: Message, part: Field, { id, called, taken }: PartPlace): ForeignReading {
  const { speaker, pair, context } = message
  const type = requiredString(part, 'type')
  if (Object.hasOwn(mediaParts, type))
    return { items: [mediaItem(speaker, { ...pair, id, media: openaiMedia(part, type) })] }
  if (type !== 'text') return readForeign({ field: part, id, type, speaker, context, called, pair }, taken)
  const text = child(part, 'text')
  if (text === undefined) throw invalidInput(`${part.path}.text`, 'missing', 'Send a string.')
  return { items: [spoken(message, id, requireString(text))] }
}

function readReasoning(message: Message): readonly Item[] {
  if (message.role !== 'assistant') return []
  return reasoningMembers.flatMap((name) => frozenMember(message, name, 'reasoning'))
}

function readExtras(message: Message): readonly Item[] {
  if (message.role !== 'assistant') return []
  return [...frozenMember(message, 'refusal', 'opaque'), ...frozenMember(message, 'audio', 'media')]
}

/** A member of an assistant message that goes back as it is: strings as the words in them, others as raw JSON. */
function frozenMember(message: Message, name: string, kind: 'reasoning' | 'opaque' | 'media'): readonly Item[] {
  const field = child(message.field, name)
  if (field === undefined) return []
  const words = field.node.kind === 'string' ? decodeString(field.tree, field.node) : rawText(field.tree, field.node)
  const text = kind === 'media' ? '' : words
  const media = kind === 'media' ? { media: { type: 'audio' as const } } : {}
  return [wireItem(message.speaker, { id: `${message.context.id}.${name}`, kind, text, ...media, frozen: true })]
}

interface CallReading {
  readonly item: Item
  readonly record?: CallRecord
}

function readCalls(message: Message, taken: Set<string>): readonly CallReading[] {
  const { field, context, speaker } = message
  const old = child(field, 'function_call')
  const legacy =
    old === undefined
      ? []
      : [
          {
            item: wireItem(speaker, {
              id: `${context.id}.function_call`,
              kind: 'tool-call',
              text: rawText(old.tree, old.node),
              frozen: true,
            }),
          },
        ]
  const list = child(field, 'tool_calls')
  if (list === undefined) return legacy
  const calls = elements(requireArray(list)).map((call, index) =>
    readCall(message, requireObject(call), { id: `${context.id}.c${index}`, taken }),
  )
  return [...legacy, ...calls]
}

function readCall(
  message: Message,
  call: Field,
  { id, taken }: { readonly id: string; readonly taken: Set<string> },
): CallReading {
  const { context, speaker } = message
  const callId = requiredString(call, 'id')
  const body = child(call, 'function') ?? child(call, 'custom')
  if (body === undefined)
    return { item: wireItem(speaker, { id, kind: 'opaque', text: rawText(call.tree, call.node), frozen: true }) }
  const name = requiredString(requireObject(body), 'name')
  const words = callWords(body)
  const text = words === undefined ? '' : requireString(words)
  const record = claimCall(context, taken, { id: callId, name, path: `${call.path}.id` })
  const locked = words === undefined ? { frozen: true } : {}
  const item = wireItem(speaker, {
    id,
    kind: 'tool-call',
    text,
    group: record.group,
    toolName: name,
    toolCallId: callId,
    ...locked,
  })
  return { item, record }
}

/** The string in which a call carries what the tool gets. */
function callWords(body: Field): Field | undefined {
  return child(body, 'arguments') ?? child(body, 'input')
}

function acceptsTool(body: Field, tools: Field): boolean {
  const { tree, node } = body
  const choice = present(tree, node, 'tool_choice')
  if (choice !== undefined && !(choice.kind === 'string' && decodeString(tree, choice) === 'auto')) return false
  if (!asksForOne(body)) return false
  return tools.node.children.some((tool) => clientTools.has(stringAt(tree, tool, 'type')))
}

/** Tools whose calls the client answers. */
const clientTools: ReadonlySet<string | undefined> = new Set(['function', 'custom'])

function asksForOne({ tree, node }: Field): boolean {
  const count = present(tree, node, 'n')
  return count === undefined || decodeValue(tree, count) === 1
}

function markersOf(part: Field, itemId: string): readonly CacheMarker[] {
  const { tree, node } = part
  const marker = member(tree, node, 'prompt_cache_breakpoint')
  if (marker?.kind === 'object')
    return [{ itemId, ttlMs: stringAt(tree, marker, 'ttl') === '12h' ? twelveHoursMs : halfHourMs }]
  // Routers hand it on to Anthropic.
  const control = member(tree, node, 'cache_control')
  if (control?.kind !== 'object') return []
  return [{ itemId, ttlMs: stringAt(tree, control, 'ttl') === '1h' ? 2 * halfHourMs : fiveMinutesMs }]
}
