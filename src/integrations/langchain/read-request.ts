import type { AIMessage, BaseMessage, ToolMessage } from '@langchain/core/messages'
import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import { joinedResults } from '../neutral/index.ts'
import type { CallMessage, CallPart, CallTool, ModelCall } from '../neutral/index.ts'
import { callBlocks } from './call-blocks.ts'
import type { Block, Core, From, ModelRequest, Tool } from './types.ts'

type Read = CallPart<From>
type ReadMessage = CallMessage<From>

/** A request of LangChain's in words of no framework. */
export function readRequest(request: ModelRequest, core: Core): ModelCall<From> {
  const { messages, tools, toolChoice, systemPrompt } = request
  const system: ReadMessage = {
    role: 'system',
    parts: [{ type: 'text', text: systemPrompt, from: { kind: 'system' } }],
  }
  return {
    model: modelName(request),
    tools: tools.map((tool) => readTool(tool, core)),
    choosesFreely: toolChoice === undefined || toolChoice === 'auto',
    messages: [
      ...(systemPrompt ? [system] : []),
      ...joinedResults(messages.map((message) => readMessage(message, core))),
    ],
  }
}

export function modelName({ model }: ModelRequest): string {
  const named = model as object as { readonly model?: unknown; readonly modelName?: unknown }
  const name = named.model ?? named.modelName
  return typeof name === 'string' ? name : ''
}

function readTool(tool: Tool, core: Core): CallTool<From> {
  const from: From = { kind: 'tool', tool }
  const json = 'invoke' in tool ? core.toolJson(tool as never) : tool
  const value = json as unknown as JsonValue
  const own = isJsonObject(value) && isJsonObject(value['function']) ? value['function'] : value
  if (!isJsonObject(own)) return { name: '', from }
  const { name, description, parameters, input_schema: schema = parameters } = own
  const described = typeof description === 'string' ? { description } : {}
  return { name: typeof name === 'string' ? name : '', ...described, schema, from }
}

function readMessage(message: BaseMessage, { messages: core }: Core): ReadMessage {
  if (core.ToolMessage.isInstance(message)) return { role: 'user', parts: [readResult(message)] }
  const parts = blocksOf(message).flatMap((block) => readBlock(message, block) ?? [])
  if (core.AIMessage.isInstance(message)) return readReply(message, parts)
  return { role: core.SystemMessage.isInstance(message) ? 'system' : 'user', parts }
}

function readReply(message: AIMessage, parts: readonly Read[]): ReadMessage {
  const calls = (message.tool_calls ?? []).map((call): Read => {
    const { id = '', name, args } = call
    return { type: 'call', id, name, input: args as JsonObject, from: { kind: 'message', message, call } }
  })
  return { role: 'assistant', parts: [...parts, ...calls], isBound: isBound(message, parts) }
}

/** What a provider keeps of its own reply beside its words holds for the reply as it was. */
function isBound({ additional_kwargs: more, response_metadata: told }: AIMessage, parts: readonly Read[]): boolean {
  const kept = ['reasoning', 'signatures', '__gemini_function_call_thought_signatures__']
  return Array.isArray(told['output']) || kept.some((key) => key in more) || parts.some(({ type }) => type !== 'text')
}

function blocksOf({ content }: BaseMessage): readonly (Block | string)[] {
  if (typeof content !== 'string') return content
  return content === '' ? [] : [content]
}

function readBlock(message: BaseMessage, block: Block | string): Read | undefined {
  if (typeof block === 'string') return { type: 'text', text: block, from: { kind: 'message', message } }
  if (callBlocks.has(block.type)) return undefined
  return { ...readContent(block), from: { kind: 'message', message, block } }
}

function readContent(block: Block): Read {
  const isMarked = block['cache_control'] !== undefined
  if (block.type === 'text' && typeof block['text'] === 'string') return { type: 'text', text: block['text'], isMarked }
  if (block.type === 'thinking' || block.type === 'reasoning') {
    const words = block['thinking'] ?? block['reasoning']
    return { type: 'reasoning', text: typeof words === 'string' ? words : '' }
  }
  const source = imageSource(block)
  return source
    ? { type: 'media', kind: 'image', source, isMarked }
    : { type: 'other', says: { type: block.type }, isMarked }
}

const dataUrl = /^data:([^;,]+);base64,(.*)$/s

function imageSource(block: Block): JsonObject | undefined {
  if (block.type !== 'image_url' && block.type !== 'image') return undefined
  const image = (block['image_url'] ?? block['url']) as JsonValue | undefined
  const url = isJsonObject(image) ? image['url'] : image
  if (typeof url !== 'string') return undefined
  const [, type = '', data = ''] = dataUrl.exec(url) ?? []
  return data === '' ? { type: 'url', url } : { type: 'base64', media_type: type, data }
}

function readResult(message: ToolMessage): Read {
  const { tool_call_id: callId, status, content } = message
  const from: From = { kind: 'result', message }
  const nested = (block: Block): Read => ({ ...readContent(block), from: { kind: 'result', message, block } })
  const told = typeof content === 'string' ? content : content.map(nested)
  return { type: 'result', callId, isError: status === 'error', content: told, from }
}
