import type { JsonValue } from '../../core/index.ts'
import { joinedResults } from '../neutral/index.ts'
import type { CallMessage, CallPart, CallTool, ModelCall } from '../neutral/index.ts'
import type {
  From,
  Message,
  Model,
  Part,
  StreamOptions,
  SystemMessage,
  Tool,
  ToolResultMessage,
  Transcript,
} from './types.ts'

type Read = CallPart<From>
type ReadMessage = CallMessage<From>

/** A transcript of pi's in words of no framework. */
export function readTranscript({ messages }: Transcript, model: Model, options: StreamOptions = {}): ModelCall<From> {
  return {
    model: model.id,
    maxOutputTokens: options.maxTokens,
    tools: toolsIn(messages).map(readTool),
    choosesFreely: options.toolChoice === undefined || options.toolChoice === 'auto',
    messages: joinedResults(messages.map(readMessage)),
  }
}

/** The tools that there are after all that was added and removed. */
function toolsIn(messages: readonly Message[]): readonly Tool[] {
  const tools = new Map<string, Tool>()
  for (const message of messages) {
    if (message.role !== 'system') continue
    for (const { name } of message.toolsRemoved ?? []) tools.delete(name)
    for (const tool of message.toolsAdded ?? []) tools.set(tool.name, tool)
  }
  return [...tools.values()]
}

function readTool(tool: Tool): CallTool<From> {
  const { name, description, parameters } = tool
  return { name, description, schema: parameters as JsonValue, from: { kind: 'tool', tool } }
}

function readMessage(message: Message): ReadMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', parts: [{ type: 'text', text: wordsOf(message), from: { kind: 'message', message } }] }
    case 'toolResult':
      return { role: 'user', parts: [readResult(message)] }
    default: {
      const { role, content } = message
      const said: readonly Part[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
      const parts = said.map((part) => ({ ...readPart(part), from: { kind: 'message' as const, message, part } }))
      return { role, parts, isBound: role === 'assistant' && said.some(isSigned) }
    }
  }
}

/** As they reach the model; a message that only changes tools says that. */
function wordsOf({ content, sections = {} }: SystemMessage): string {
  const words = typeof content === 'string' ? content : content.map(({ text }) => text).join('\n')
  return (
    [words, ...Object.values(sections)].filter((text) => text !== null && text !== '').join('\n\n') || 'Tools change.'
  )
}

export function readPart(part: Part): Read {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'thinking':
      return { type: 'reasoning', text: part.thinking }
    case 'toolCall':
      return { type: 'call', id: part.id, name: part.name, input: part.arguments }
    case 'image':
      return { type: 'media', kind: 'image', source: { type: 'base64', media_type: part.mimeType, data: part.data } }
  }
}

/** What a provider signs, it holds to its bytes. */
function isSigned(part: Part): boolean {
  return part.type === 'thinking' || 'textSignature' in part || 'thoughtSignature' in part
}

function readResult(message: ToolResultMessage): Read {
  const { toolCallId: callId, isError, content } = message
  const nested = content.map((part): Read => ({ ...readPart(part), from: { kind: 'message', message, part } }))
  return { type: 'result', callId, isError, content: nested, from: { kind: 'message', message } }
}
