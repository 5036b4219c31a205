import type { CacheMarker, Item, Role } from '../../core/index.ts'
import {
  decodeString,
  decodeValue,
  invalidInput,
  isJsonObject,
  isTrue,
  member,
  present,
  rawText,
  stringAt,
} from '../../core/index.ts'
import type {
  CallRecord,
  MessageContext,
  MessageReading,
  PartReading,
  RequestReader,
  ToolReading,
} from '../request-reader.ts'
import { targetInBody } from '../request-reader.ts'
import { plainShape } from '../body-shape.ts'
import { claimCall, requireCall } from '../claim-call.ts'
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
import type { Speaker } from '../wire-item.ts'
import { mediaItem, textKind, toolItem, wireItem } from '../wire-item.ts'
import { anthropicEditing } from './editing.ts'
import { anthropicMedia } from './media.ts'
import { anthropicSampling } from './sampling.ts'
import { searchResultOf } from './search-result.ts'
import { wordsOfCompaction, wordsOfDocument, wordsOfResult } from '../words-of-block.ts'
import { markedOwner } from '../reasoning/owner.ts'

const dialect = 'anthropic-messages'
const fiveMinutesMs = 300_000
const hourMs = 3_600_000
const roles: ReadonlySet<string> = new Set<Role>(['user', 'assistant', 'system'])

export const anthropicReader: RequestReader = {
  dialect,
  path: '/v1/messages',
  shape: plainShape,
  target: targetInBody,
  readTool,
  readSystem,
  messages: requiredMessages,
  readMessage,
  isUserAuthored,
  acceptsTool,
  acceptsFirstTool: ({ tree, node }) => present(tree, node, 'tool_choice') === undefined,
  asksForOne: () => true,
  bodyMarker: (body) => markerTtl(body),
  cacheKey: () => undefined,
  sampling: anthropicSampling,
  editing: anthropicEditing,
  maxOutputTokens: (body) => optionalTokenCount(body, 'max_tokens', 0),
}

/** What one block of a message gives; `parts` of a tool result give several items. */
interface BlockReading {
  readonly items: readonly Item[]
  readonly call?: CallRecord
}

interface Block {
  readonly field: Field
  readonly id: string
  readonly speaker: Speaker
  readonly frozen: boolean
  readonly context: MessageContext
  /** Call ids of the blocks before, in the same message. */
  readonly taken: Set<string>
}

function readTool(field: Field, id: string): ToolReading {
  const type = optionalString(field, 'type')
  const custom = type === undefined || type === 'custom'
  const name = custom ? requiredString(field, 'name') : optionalString(field, 'name')
  const text = rawText(field.tree, field.node)
  // The model is shown a deferred definition once it has found it.
  const isDeferred = isTrue(field.tree, member(field.tree, field.node, 'defer_loading'))
  const tokens = isDeferred ? { tokens: 0 } : {}
  const item = toolItem({ id, kind: 'tool-schema', text, ...optional('toolName', name), ...tokens, frozen: !custom })
  const schema = child(field, 'input_schema')
  const description = stringAt(field.tree, field.node, 'description') ?? ''
  const known = custom && name !== undefined && schema !== undefined
  return {
    items: [item],
    markers: markersOf(field, id),
    ...(known ? { definition: { name, description, schema: decodeValue(schema.tree, schema.node) } } : {}),
  }
}

function readSystem(body: Field): PartReading | undefined {
  const field = child(body, 'system')
  if (field === undefined) return undefined
  const speaker: Speaker = { role: 'system', turn: 0, isQuery: false }
  if (field.node.kind === 'string') {
    return { items: [wireItem(speaker, { id: 's0', kind: 'instruction', text: requireString(field) })], markers: [] }
  }
  const blocks = elements(requireArray(field)).map((block, index) => ({ block: requireObject(block), id: `s${index}` }))
  return {
    items: blocks.map(({ block, id }) => textOrOpaque(block, id, speaker, false)),
    markers: blocks.flatMap(({ block, id }) => markersOf(block, id)),
  }
}

function readMessage(field: Field, context: MessageContext): MessageReading {
  const role = requiredString(field, 'role')
  if (!isRole(role))
    throw invalidInput(`${field.path}.role`, `unknown role ${JSON.stringify(role)}`, 'Send user, assistant or system.')
  const speaker: Speaker = { role, turn: context.turn, isQuery: context.isQuery }
  const content = child(field, 'content')
  if (content === undefined)
    throw invalidInput(`${field.path}.content`, 'missing', 'Send a string or an array of blocks.')
  if (content.node.kind === 'string') {
    const item = wireItem(speaker, { id: context.id, kind: textKind(role), text: requireString(content) })
    return { role, items: [item], calls: [], markers: [] }
  }
  if (content.node.kind !== 'array')
    throw invalidInput(content.path, 'wrong type', 'Send a string or an array of blocks.')
  const frozen = role === 'assistant' && content.node.children.some((node) => isSigned({ ...content, node }))
  const taken = new Set<string>()
  const blocks = elements(content).map((block, index): Block => {
    return { field: requireObject(block), id: `${context.id}.b${index}`, speaker, frozen, context, taken }
  })
  const readings = blocks.map(readBlock)
  const calls = readings.flatMap((reading) => reading.call ?? [])
  return {
    role,
    items: readings.flatMap((reading) => reading.items),
    calls,
    markers: blocks.flatMap((block, index) => {
      const items = readings[index]?.items ?? []
      return [...innerMarkers(block, items), ...markersOf(block.field, items.at(-1)?.id ?? block.id)]
    }),
  }
}

/** Markers on parts of a result: they count as those of blocks do. */
function innerMarkers({ field, id }: Block, items: readonly Item[]): readonly CacheMarker[] {
  if (stringAt(field.tree, field.node, 'type') !== 'tool_result') return []
  const content = child(field, 'content')
  if (content?.node.kind !== 'array') return []
  return elements(content).flatMap((part, index) => markersOf(part, items[index]?.id ?? id))
}

function isRole(role: string): role is 'user' | 'assistant' | 'system' {
  return roles.has(role)
}

/** Thinking of this kind is bound to the bytes of its message. */
function isSigned(block: Field): boolean {
  const type = stringAt(block.tree, block.node, 'type')
  return (
    type === 'redacted_thinking' || (type === 'thinking' && present(block.tree, block.node, 'signature') !== undefined)
  )
}

const blockReaders: Readonly<Record<string, (block: Block) => BlockReading>> = {
  text: (block) => ({ items: [textOrOpaque(block.field, block.id, block.speaker, block.frozen)] }),
  tool_use: readToolUse,
  tool_result: readToolResult,
  thinking: (block) => ({ items: [thinkingItem(block)] }),
  redacted_thinking: (block) => ({ items: [rawItem(block, 'reasoning')] }),
  image: (block) => ({ items: [readMedia(block.field, block.id, block.speaker)] }),
  document: (block) => ({ items: [documentItem(block.field, block.id, block.speaker)] }),
  search_result: (block) => ({ items: [searchResultItem(block)] }),
  compaction: (block) => ({ items: [compactionItem(block)] }),
}

function readBlock(block: Block): BlockReading {
  const type = requiredString(block.field, 'type')
  const reader = Object.hasOwn(blockReaders, type) ? blockReaders[type] : undefined
  if (reader) return reader(block)
  const item = rawItem(block, 'opaque')
  return { items: [{ ...item, ...optional('words', wordsOfResult(decodeValue(block.field.tree, block.field.node))) }] }
}

function textOrOpaque(field: Field, id: string, speaker: Speaker, frozen: boolean): Item {
  if (stringAt(field.tree, field.node, 'type') !== 'text') return opaqueItem(field, id, speaker)
  const text = child(field, 'text')
  if (text === undefined) throw invalidInput(`${field.path}.text`, 'missing', 'Send a string.')
  const details = { id, kind: textKind(speaker.role), text: requireString(text) }
  return wireItem(speaker, frozen ? { ...details, frozen } : details)
}

function rawItem(block: Block, kind: 'reasoning' | 'opaque'): Item {
  const text = rawText(block.field.tree, block.field.node)
  return wireItem(block.speaker, { id: block.id, kind, text, frozen: true })
}

/** Thinking that its provider has not signed is words, by whom a mark of ours may tell. */
function thinkingItem(block: Block): Item {
  const { tree, node } = block.field
  const signature = stringAt(tree, node, 'signature') ?? ''
  const owner = markedOwner(signature)
  const item = rawItem(block, 'reasoning')
  if (signature !== '' && owner === undefined) return item
  return {
    ...item,
    ...optional('words', stringAt(tree, node, 'thinking')),
    ...optional('reasonedBy', owner === '' ? undefined : owner),
  }
}

/** It stands for the words of all before it, of which the user speaks where nobody knows its form. */
function compactionItem(block: Block): Item {
  const { tree, node } = block.field
  const value = decodeValue(tree, node)
  return {
    ...rawItem(block, 'opaque'),
    ...optional('words', isJsonObject(value) ? wordsOfCompaction(value) : undefined),
  }
}

function opaqueItem(field: Field, id: string, speaker: Speaker): Item {
  return wireItem(speaker, { id, kind: 'opaque', text: rawText(field.tree, field.node), frozen: true })
}

function readMedia(field: Field, id: string, speaker: Speaker): Item {
  return mediaItem(speaker, { id, media: anthropicMedia(field) })
}

/** A document is media unless its words stand in the body. */
function documentItem(field: Field, id: string, speaker: Speaker): Item {
  const source = stringAt(field.tree, present(field.tree, field.node, 'source'), 'type')
  if (source !== 'text' && source !== 'content') return readMedia(field, id, speaker)
  return {
    ...opaqueItem(field, id, speaker),
    ...optional('words', wordsOfDocument(decodeValue(field.tree, field.node))),
  }
}

/** Evidence that the client has brought: shown as it came. */
function searchResultItem(block: Block): Item {
  const { field, id, speaker } = block
  const found = searchResultOf(field.tree, field.node)
  if (!found)
    return {
      ...opaqueItem(field, id, speaker),
      ...optional('words', wordsOfResult(decodeValue(field.tree, field.node))),
    }
  const { text, ...origin } = found
  return { ...wireItem(speaker, { id, kind: 'evidence', text, frozen: true }), section: 'evidence', ...origin }
}

function readToolUse(block: Block): BlockReading {
  const { field, id, speaker, frozen, context, taken } = block
  const callId = requiredString(field, 'id')
  const name = requiredString(field, 'name')
  const input = child(field, 'input')
  if (input !== undefined && input.node.kind !== 'object')
    throw invalidInput(input.path, 'wrong type', 'Send an object.')
  const text = input === undefined ? '{}' : rawText(input.tree, input.node)
  const call = claimCall(context, taken, { id: callId, name, path: `${field.path}.id` })
  const pair = { group: call.group, toolName: name, toolCallId: callId }
  const locked = frozen || input === undefined ? { frozen: true } : {}
  const item = wireItem(speaker, { id, kind: 'tool-call', text, ...pair, ...locked })
  return { items: [item], call }
}

function readToolResult(block: Block): BlockReading {
  const { field, id, speaker, context } = block
  const callId = requiredString(field, 'tool_use_id')
  const call = requireCall(context.calls, callId, `${field.path}.tool_use_id`)
  const pair = { group: call.group, toolName: call.name, toolCallId: callId }
  const status = isTrue(field.tree, member(field.tree, field.node, 'is_error')) ? { status: 'error' as const } : {}
  const result = (text: string, frozen: boolean): Item =>
    wireItem(speaker, { id, kind: 'tool-result', text, ...pair, ...status, ...(frozen ? { frozen } : {}) })
  const content = child(field, 'content')
  if (content === undefined) return { items: [result('', true)] }
  if (content.node.kind === 'string') return { items: [result(requireString(content), false)] }
  if (content.node.kind !== 'array')
    throw invalidInput(content.path, 'wrong type', 'Send a string or an array of blocks.')
  const parts = elements(content).map(requireObject)
  const [only] = parts
  if (only === undefined) return { items: [result('', true)] }
  const items = parts.map((part, index): Item => {
    const item = readResultPart(part, parts.length === 1 ? id : `${id}.p${index}`, speaker)
    return { ...item, ...pair, ...status, role: 'tool', section: 'history', authority: 'tool', trust: 'untrusted' }
  })
  return { items }
}

function readResultPart(part: Field, id: string, speaker: Speaker): Item {
  const type = requiredString(part, 'type')
  if (type === 'image') return readMedia(part, id, speaker)
  if (type === 'document') return documentItem(part, id, speaker)
  if (type !== 'text')
    return { ...opaqueItem(part, id, speaker), ...optional('words', wordsOfResult(decodeValue(part.tree, part.node))) }
  const text = child(part, 'text')
  if (text === undefined) throw invalidInput(`${part.path}.text`, 'missing', 'Send a string.')
  return wireItem(speaker, { id, kind: 'tool-result', text: requireString(text) })
}

function isUserAuthored(field: Field): boolean {
  const { tree, node } = field
  if (stringAt(tree, node, 'role') !== 'user') return false
  const content = member(tree, node, 'content')
  if (content === undefined || content.kind === 'string') return content !== undefined
  const types = content.children.map((block) => stringAt(tree, block, 'type'))
  return types.includes('text') && !types.includes('tool_result')
}

function acceptsTool(body: Field, tools: Field): boolean {
  const choice = present(body.tree, body.node, 'tool_choice')
  if (choice !== undefined && stringAt(body.tree, choice, 'type') !== 'auto') return false
  return tools.node.children.some((tool) => {
    const type = present(tools.tree, tool, 'type')
    return type === undefined || (type.kind === 'string' && decodeString(tools.tree, type) === 'custom')
  })
}

function markersOf(field: Field, itemId: string): readonly CacheMarker[] {
  const ttlMs = markerTtl(field)
  return ttlMs === undefined ? [] : [{ itemId, ttlMs }]
}

function markerTtl(field: Field): number | undefined {
  const marker = present(field.tree, field.node, 'cache_control')
  if (marker === undefined) return undefined
  return stringAt(field.tree, marker, 'ttl') === '1h' ? hourMs : fiveMinutesMs
}
