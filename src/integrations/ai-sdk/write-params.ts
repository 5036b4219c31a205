import { isJsonObject } from '../../core/index.ts'
import type { CallPart, ShownCall, ShownMessage, ShownPart, ShownTool } from '../neutral/index.ts'
import type { CacheKey } from './cache-key.ts'
import type { From, Message, Output, OutputPart, Params, Part, ProviderOptions, Tool } from './types.ts'

interface Writing {
  /** Under which name the provider takes markers for its cache; undefined where it takes none. */
  readonly cacheKey: CacheKey | undefined
  /** Names of the tools that were called. */
  readonly names: ReadonlyMap<string, string>
}

/** The SDK's parameters with what is shown; what is shown as it came is the very object that came. */
export function writeParams(params: Params, shown: ShownCall<From>, cacheKey: CacheKey | undefined): Params {
  const calls = shown.messages.flatMap(({ parts }) => parts.flatMap(({ part }) => (part.type === 'call' ? part : [])))
  const writing: Writing = { cacheKey, names: new Map(calls.map(({ id, name }) => [id, name])) }
  const prompt = shown.messages.flatMap((message) => writeMessage(message, writing))
  const tools = shown.tools.flatMap((tool) => writeTool(tool, writing) ?? [])
  return { ...params, prompt, ...(tools.length > 0 && { tools }) }
}

function writeTool({ tool, isChanged, cacheTtl }: ShownTool<From>, { cacheKey }: Writing): Tool {
  const { from, name, description = '', schema } = tool
  const came = from?.kind === 'tool' ? from.tool : undefined
  const marker = markerOf(cacheTtl, cacheKey)
  if (came !== undefined && (came.type !== 'function' || (!isChanged && !marker))) return came
  const own: Partial<Extract<Tool, { readonly type: 'function' }>> = came ?? { type: 'function', name }
  return {
    ...own,
    ...(isChanged || came === undefined ? { description, inputSchema: schema } : {}),
    ...marked(own, marker),
  } as Tool
}

function writeMessage(message: ShownMessage<From>, writing: Writing): readonly Message[] {
  const came = whole(message, writing)
  if (came) return [came]
  if (message.role === 'system') return message.parts.map((part) => systemMessage(part, writing))
  if (message.role === 'assistant') return [withParts('assistant', message.parts, writing)]
  const isTools = ({ part }: ShownPart<From>): boolean => part.type === 'result' || messageOf(part)?.role === 'tool'
  const results = message.parts.filter(isTools)
  const said = message.parts.filter((part) => !isTools(part))
  return [
    ...(results.length > 0 ? [withParts('tool', results, writing)] : []),
    ...(said.length > 0 ? [withParts('user', said, writing)] : []),
  ]
}

/** The message itself, where nothing of it has changed. */
function whole({ parts }: ShownMessage<From>, { cacheKey }: Writing): Message | undefined {
  const message = messageOf(parts[0]?.part)
  if (message === undefined) return undefined
  const length = typeof message.content === 'string' ? 1 : message.content.length
  const same = parts.every(
    ({ part, isChanged, cacheTtl }) => !isChanged && !markerOf(cacheTtl, cacheKey) && messageOf(part) === message,
  )
  return same && parts.length === length ? message : undefined
}

function messageOf(part: CallPart<From> | undefined): Message | undefined {
  return part?.from?.kind === 'part' ? part.from.message : undefined
}

function systemMessage({ part, cacheTtl }: ShownPart<From>, { cacheKey }: Writing): Message {
  const came = messageOf(part)
  const content = part.type === 'text' ? part.text : ''
  return { ...came, role: 'system', content, ...marked(came ?? {}, markerOf(cacheTtl, cacheKey)) }
}

function withParts(role: Message['role'], parts: readonly ShownPart<From>[], writing: Writing): Message {
  const came = parts.map(({ part }) => messageOf(part)).find((message) => message?.role === role)
  return { ...came, role, content: parts.flatMap((part) => writePart(part, writing) ?? []) } as Message
}

function writePart(shown: ShownPart<From>, writing: Writing): Part | undefined {
  const { part, isChanged, cacheTtl } = shown
  const came = part.from?.kind === 'part' ? part.from.part : undefined
  const marker = markerOf(cacheTtl, writing.cacheKey)
  if (came === undefined) return ownPart(shown, writing)
  const now = isChanged ? { ...came, ...changed(part, came) } : came
  return marker ? { ...now, ...marked(now, marker) } : now
}

function changed(part: CallPart<From>, came: Part): object {
  switch (part.type) {
    case 'text':
      return { text: part.text }
    case 'call':
      return { input: part.input }
    case 'result':
      return { output: outputOf(part, came) }
    default:
      return {}
  }
}

/** Some of what the model said, or was told, in a round that the caller has not seen. */
function ownPart({ part, own }: ShownPart<From>, { names }: Writing): Part | undefined {
  const kept = isJsonObject(own) ? own : {}
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { ...kept, type: part.type, text: part.text }
    case 'call':
      return { ...kept, type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input }
    case 'result': {
      const { callId: toolCallId } = part
      return { type: 'tool-result', toolCallId, toolName: names.get(toolCallId) ?? '', output: outputOf(part) }
    }
    default:
      return isJsonObject(own) && own['type'] !== undefined ? (own as unknown as Part) : undefined
  }
}

function outputOf(part: Extract<CallPart<From>, { readonly type: 'result' }>, came?: Part): Output {
  const { content, isError } = part
  const before = came?.type === 'tool-result' && 'providerOptions' in came.output ? came.output : undefined
  const options = before?.providerOptions && { providerOptions: before.providerOptions }
  if (typeof content === 'string') return { type: isError ? 'error-text' : 'text', value: content, ...options }
  return { type: 'content', value: content.flatMap((nested) => outputPart(nested) ?? []), ...options }
}

function outputPart(part: CallPart<From>): OutputPart | undefined {
  const came = part.from?.kind === 'output' ? part.from.output : undefined
  if (part.type !== 'text') return came
  return came?.type === 'text' ? { ...came, text: part.text } : { type: 'text', text: part.text }
}

function markerOf(ttl: '5m' | '1h' | undefined, cacheKey: CacheKey | undefined): ProviderOptions | undefined {
  if (ttl === undefined || cacheKey === undefined) return undefined
  return { [cacheKey]: { cacheControl: ttl === '1h' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' } } }
}

function marked(
  { providerOptions }: { readonly providerOptions?: ProviderOptions | undefined },
  marker: ProviderOptions | undefined,
): { readonly providerOptions?: ProviderOptions } {
  if (!marker) return {}
  const joined = Object.entries(marker).map(([key, own]) => [key, { ...providerOptions?.[key], ...own }] as const)
  return { providerOptions: { ...providerOptions, ...Object.fromEntries(joined) } }
}
