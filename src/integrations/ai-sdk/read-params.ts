import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import type { CallMessage, CallPart, CallTool, ModelCall } from '../neutral/index.ts'
import { fileSource } from './file-source.ts'
import type { From, Message, Output, OutputPart, Params, Part, ProviderOptions, Tool } from './types.ts'

type Read = CallPart<From>

/** The SDK's parameters of a call in words of no framework. */
export function readParams(params: Params, model: string): ModelCall<From> {
  const { prompt, tools = [], toolChoice, maxOutputTokens } = params
  return {
    model,
    maxOutputTokens,
    tools: tools.map(readTool),
    choosesFreely: toolChoice === undefined || toolChoice.type === 'auto',
    messages: prompt.map(readMessage),
  }
}

function readTool(tool: Tool): CallTool<From> {
  const from: From = { kind: 'tool', tool }
  if (tool.type !== 'function') return { name: tool.name, from }
  const { name, description, inputSchema, providerOptions } = tool
  return { name, description, schema: inputSchema as JsonValue, isMarked: isMarked(providerOptions), from }
}

function readMessage(message: Message): CallMessage<From> {
  const { role, content, providerOptions } = message
  if (typeof content === 'string') {
    const from: From = { kind: 'part', message }
    return { role: 'system', parts: [{ type: 'text', text: content, isMarked: isMarked(providerOptions), from }] }
  }
  const parts = content.map((part, index): Read => {
    const marked = isMarked(part.providerOptions) || (index === content.length - 1 && isMarked(providerOptions))
    return { ...readPart(part), isMarked: marked, from: { kind: 'part', message, part } }
  })
  const isBound = role === 'assistant' && content.some((part) => isOfProvider(part.providerOptions))
  return { role: role === 'assistant' ? 'assistant' : 'user', parts, isBound }
}

/** What a provider says of its own reply (a signature, an id by which it knows the part) holds for the part as it was. */
function isOfProvider(options: ProviderOptions | undefined): boolean {
  return Object.values(options ?? {}).some((own) => Object.keys(own).some((key) => key !== 'cacheControl'))
}

function isMarked(options: ProviderOptions | undefined): boolean {
  return Object.values(options ?? {}).some(
    (own) => own['cacheControl'] !== undefined || own['cachePoint'] !== undefined,
  )
}

function readPart(part: Part): Read {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'reasoning':
      return { type: 'reasoning', text: part.text }
    case 'tool-call': {
      const { toolCallId: id, toolName: name, input } = part
      if (part.providerExecuted === true) return { type: 'other', says: { name, input: inputOf(input) } }
      return { type: 'call', id, name, input: inputOf(input) }
    }
    case 'tool-result':
      return readResult(part)
    case 'file':
      return readFile(part)
    default:
      return { type: 'other', says: { type: part.type } }
  }
}

function inputOf(input: unknown): JsonObject {
  const value = input as JsonValue
  return isJsonObject(value) ? value : { value: value ?? null }
}

function readFile(file: { readonly data: unknown; readonly mediaType?: string }): Read {
  const { mediaType = '' } = file
  const source = fileSource(file.data, mediaType)
  if (source === undefined) return { type: 'other', says: { type: 'file', mediaType } }
  return { type: 'media', kind: mediaType.startsWith('image') ? 'image' : 'document', source }
}

function readResult({ toolCallId: callId, output }: Extract<Part, { readonly type: 'tool-result' }>): Read {
  const isError = output.type === 'error-text' || output.type === 'error-json'
  return { type: 'result', callId, isError, content: contentOf(output) }
}

function contentOf(output: Output): string | readonly Read[] {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value)
    case 'content':
      return output.value.map(readOutput)
    default:
      return [{ type: 'other', says: { type: output.type } }]
  }
}

function readOutput(output: OutputPart): Read {
  const from: From = { kind: 'output', output }
  if (output.type === 'text') return { type: 'text', text: output.text, from }
  return { ...('data' in output ? readFile(output) : { type: 'other', says: { type: output.type } }), from }
}
