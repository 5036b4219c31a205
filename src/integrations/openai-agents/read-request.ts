import { isJsonObject, parseJson } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import type { CallMessage, CallPart, CallTool, ModelCall } from '../neutral/index.ts'
import type { AgentInputItem, From, ModelRequest, ResultItem, Tool } from './types.ts'

type Read = CallPart<From>
type ReadMessage = CallMessage<From>

/** A request of the Agents SDK in words of no framework. */
export function readRequest(request: ModelRequest, model: string): ModelCall<From> {
  const { systemInstructions = '', input, tools, handoffs, modelSettings } = request
  const system: Read = { type: 'text', text: systemInstructions, from: { kind: 'system' } }
  const { toolChoice, maxTokens } = modelSettings
  return {
    model,
    maxOutputTokens: maxTokens,
    tools: [...tools.map(readTool), ...handoffs.map(readHandoff)],
    choosesFreely: toolChoice === undefined || toolChoice === 'auto',
    messages: [
      ...(systemInstructions === '' ? [] : [{ role: 'system' as const, parts: [system] }]),
      ...readInput(input),
    ],
  }
}

function readTool(tool: Tool): CallTool<From> {
  const from: From = { kind: 'tool', tool }
  if (tool.type !== 'function') return { name: tool.name, from }
  return { name: tool.name, description: tool.description, schema: tool.parameters as unknown as JsonValue, from }
}

/** The model calls them as it does tools. */
function readHandoff(handoff: ModelRequest['handoffs'][number]): CallTool<From> {
  const { toolName: name, toolDescription: description, inputJsonSchema: schema } = handoff
  return { name, description, schema: schema as unknown as JsonValue, from: { kind: 'handoff' } }
}

function readInput(input: ModelRequest['input']): readonly ReadMessage[] {
  if (typeof input !== 'string') return joined(input.map(readItem))
  return [{ role: 'user', parts: [{ type: 'text', text: input, from: { kind: 'input', text: input } }] }]
}

/** Items of one reply follow one another, and so do the results of its calls. */
function joined(messages: readonly ReadMessage[]): readonly ReadMessage[] {
  const all: ReadMessage[] = []
  for (const message of messages) {
    const before = all.at(-1)
    if (before === undefined || !areOne(before, message)) all.push(message)
    else {
      const isBound = before.isBound === true || message.isBound === true
      all[all.length - 1] = { ...before, parts: [...before.parts, ...message.parts], isBound }
    }
  }
  return all
}

function areOne(before: ReadMessage, message: ReadMessage): boolean {
  if (before.role !== message.role) return false
  if (message.role === 'assistant') return true
  return [before, message].every(({ parts }) => parts.length > 0 && parts.every(({ type }) => type === 'result'))
}

function readItem(item: AgentInputItem): ReadMessage {
  if ('role' in item) return readMessage(item)
  const from: From = { kind: 'item', item }
  switch (item.type) {
    case 'function_call': {
      const { callId: id, name, arguments: written } = item
      return { role: 'assistant', parts: [{ type: 'call', id, name, input: inputOf(written), from }] }
    }
    case 'function_call_result':
      return { role: 'user', parts: [readResult(item)] }
    case 'reasoning': {
      const text = item.content.map((part) => part.text).join('\n')
      // What it reasons may be sealed with what follows.
      return { role: 'assistant', parts: [{ type: 'reasoning', text, from }], isBound: true }
    }
    default: {
      const { type } = item
      return {
        role: /(?:result|output)$/.test(type) ? 'user' : 'assistant',
        parts: [{ type: 'other', says: { type }, from }],
      }
    }
  }
}

function readMessage(item: Extract<AgentInputItem, { readonly role: unknown }>): ReadMessage {
  const { role, content } = item
  if (typeof content === 'string')
    return { role, parts: [{ type: 'text', text: content, from: { kind: 'item', item } }] }
  const parts = content.map((part): Read => ({ ...readContent(part), from: { kind: 'item', item, content: part } }))
  return { role, parts }
}

function readContent(part: { readonly type: string; readonly text?: unknown; readonly image?: unknown }): Read {
  const { type, text, image } = part
  if (typeof text === 'string') return { type: 'text', text }
  const source = typeof image === 'string' ? imageSource(image) : undefined
  return source ? { type: 'media', kind: 'image', source } : { type: 'other', says: { type } }
}

const dataUrl = /^data:([^;,]+);base64,(.*)$/s

function imageSource(url: string): JsonObject {
  const [, type = '', data = ''] = dataUrl.exec(url) ?? []
  return data === '' ? { type: 'url', url } : { type: 'base64', media_type: type, data }
}

export function inputOf(written: string): JsonObject {
  try {
    const value = parseJson(written)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

function readResult(item: ResultItem): Read {
  const { callId, output } = item
  const content =
    typeof output === 'string'
      ? output
      : [output].flat().map((part): Read => {
          return { ...readContent(part), from: { kind: 'item', item, content: part } }
        })
  return { type: 'result', callId, isError: false, content, from: { kind: 'item', item } }
}
