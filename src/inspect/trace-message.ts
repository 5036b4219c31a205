import { isJsonObject } from '../core/index.ts'
import { inside, traceError } from './trace-error.ts'
import type { Item, ItemKind, JsonObject, Role, Section } from '../core/index.ts'
import type { TracePlace } from './trace-error.ts'
import type { TraceMessage } from './trace.ts'

const roles: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'developer',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
}

/** What a media block is taken to cost, where nothing tells. */
const mediaTokens = 1000

/** An item before it knows its message. */
interface Part {
  readonly kind: ItemKind
  readonly text: string
  readonly toolName?: string
  readonly toolCallId?: string
  readonly status?: 'ok' | 'error'
  readonly tokens?: number
  readonly frozen?: boolean
}

type MessageReader = (raw: unknown, id: string, place: TracePlace) => TraceMessage

/**
 * Reads the messages of one conversation, in order and in any of the accepted shapes: OpenAI's, Anthropic's, and the
 * flat one of recorded sessions. Results learn the names of their tools from the calls before them.
 */
export function messageReader(): MessageReader {
  const toolNames = new Map<string, string>()
  return (raw, id, place) => {
    const message = readMessage(raw, id, place)
    for (const { kind, toolCallId, toolName } of message.items) {
      if (kind === 'tool-call' && toolCallId !== undefined && toolName !== undefined)
        toolNames.set(toolCallId, toolName)
    }
    return { ...message, items: message.items.map((item) => named(item, toolNames)) }
  }
}

function named(item: Item, toolNames: ReadonlyMap<string, string>): Item {
  const toolName = item.kind === 'tool-result' ? toolNames.get(item.toolCallId ?? '') : undefined
  return toolName === undefined || item.toolName !== undefined ? item : { ...item, toolName }
}

function readMessage(raw: unknown, id: string, place: TracePlace): TraceMessage {
  if (!isJsonObject(raw)) throw traceError(place, 'is not an object', 'A message has a role and content')
  const role = typeof raw['role'] === 'string' && Object.hasOwn(roles, raw['role']) ? roles[raw['role']] : undefined
  if (role === undefined) {
    throw traceError(inside(place, 'role'), 'is no known role', `Use one of ${Object.keys(roles).join(', ')}`)
  }
  const parts = [...contentParts(raw, role, place), ...callParts(raw['tool_calls'], inside(place, 'tool_calls'))]
  const section: Section = role === 'system' || role === 'developer' ? 'role' : 'history'
  const items = parts.map((part, index): Item => ({ ...part, id: `${id}.${index}`, section, role, ...groupOf(part) }))
  const atMs = timeOf(raw['ts'], inside(place, 'ts'))
  return { role, id, items, ...(atMs === undefined ? {} : { atMs }) }
}

function groupOf(part: Part): { readonly group?: string } {
  return part.toolCallId === undefined ? {} : { group: part.toolCallId }
}

function contentParts(raw: JsonObject, role: Role, place: TracePlace): readonly Part[] {
  const content = raw['content']
  const at = inside(place, 'content')
  if (content === null || content === undefined) return role === 'tool' ? [toolResult(raw, '')] : []
  if (typeof content === 'string') return [role === 'tool' ? toolResult(raw, content) : textPart(content, role)]
  if (!Array.isArray(content)) {
    throw traceError(at, 'is neither text nor a list of blocks', 'Give a string, a list of blocks, or null')
  }
  if (role === 'tool') return [toolResult(raw, blocksText(content, at))]
  return content.map((block, index) => blockPart(block, role, inside(at, index)))
}

function textPart(text: string, role: Role): Part {
  return { kind: role === 'system' || role === 'developer' ? 'instruction' : 'text', text }
}

function toolResult(raw: JsonObject, text: string): Part {
  const toolCallId = stringOf(raw['tool_call_id'])
  const toolName = stringOf(raw['name'])
  return {
    kind: 'tool-result',
    text,
    ...statusOf(raw),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(toolName === undefined ? {} : { toolName }),
  }
}

/** Only what a provider's request would say, too: exit codes that stand beside the text are for nobody's eyes. */
function statusOf(raw: JsonObject): { readonly status?: 'ok' | 'error' } {
  return typeof raw['is_error'] === 'boolean' ? { status: raw['is_error'] ? 'error' : 'ok' } : {}
}

const blockReaders: Readonly<Record<string, (block: JsonObject, role: Role, place: TracePlace) => Part>> = {
  text: (block, role, place) => textPart(textOf(block['text'], inside(place, 'text')), role),
  tool_use: (block) => ({
    kind: 'tool-call',
    text: JSON.stringify(block['input'] ?? {}),
    ...callIdentity(block['id'], block['name']),
  }),
  tool_result: (block, _role, place) => ({
    kind: 'tool-result',
    text: resultText(block['content'], inside(place, 'content')),
    ...statusOf(block),
    ...callIdentity(block['tool_use_id'], undefined),
  }),
  thinking: (block) => ({ kind: 'reasoning', text: stringOf(block['thinking']) ?? '', frozen: true }),
  image: () => ({ kind: 'media', text: '', tokens: mediaTokens }),
  image_url: () => ({ kind: 'media', text: '', tokens: mediaTokens }),
  document: () => ({ kind: 'media', text: '', tokens: mediaTokens }),
}

function blockPart(block: unknown, role: Role, place: TracePlace): Part {
  if (!isJsonObject(block) || typeof block['type'] !== 'string') {
    throw traceError(place, 'is not a content block', 'A block is an object with a type')
  }
  const read = Object.hasOwn(blockReaders, block['type']) ? blockReaders[block['type']] : undefined
  // A block that we do not know costs what its JSON costs, and is never touched.
  return read?.(block, role, place) ?? { kind: 'opaque', text: JSON.stringify(block), frozen: true }
}

function resultText(content: unknown, place: TracePlace): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return blocksText(content, place)
  throw traceError(place, 'is neither text nor a list of blocks', 'Give a string or a list of blocks')
}

function blocksText(blocks: readonly unknown[], place: TracePlace): string {
  return blocks
    .map((block, index) => {
      if (typeof block === 'string') return block
      if (!isJsonObject(block)) throw traceError(inside(place, index), 'is not a content block', 'Give an object')
      return stringOf(block['text']) ?? JSON.stringify(block)
    })
    .join('\n')
}

function callParts(calls: unknown, place: TracePlace): readonly Part[] {
  if (calls === undefined || calls === null) return []
  if (!Array.isArray(calls)) throw traceError(place, 'is not a list', 'Give a list of tool calls')
  return calls.map((call, index) => callPart(call, inside(place, index)))
}

function callPart(call: unknown, place: TracePlace): Part {
  if (!isJsonObject(call)) throw traceError(place, 'is not an object', 'A tool call has id, name and arguments')
  const inner = isJsonObject(call['function']) ? call['function'] : call
  const name = stringOf(inner['name'])
  if (name === undefined) throw traceError(inside(place, 'name'), 'is not text', 'Every tool call names its tool')
  const given = inner['arguments']
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? {})
  return { kind: 'tool-call', text, ...callIdentity(call['id'], name) }
}

function callIdentity(id: unknown, name: unknown): { readonly toolCallId?: string; readonly toolName?: string } {
  return {
    ...(typeof id === 'string' ? { toolCallId: id } : {}),
    ...(typeof name === 'string' ? { toolName: name } : {}),
  }
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function textOf(value: unknown, place: TracePlace): string {
  if (typeof value !== 'string') throw traceError(place, 'is not text', 'Give a string')
  return value
}

/** Seconds or milliseconds since 1970, or an ISO-8601 date and time. */
export function timeOf(value: unknown, place: TracePlace): number | undefined {
  if (value === undefined || value === null) return undefined
  const at = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN
  if (!Number.isFinite(at)) throw traceError(place, 'is no time', 'Give seconds since 1970 or an ISO-8601 date')
  return typeof value === 'number' && at < 1e11 ? at * 1000 : at
}
