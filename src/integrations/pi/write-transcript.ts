import { isJsonObject } from '../../core/index.ts'
import type { CallPart, ShownCall, ShownMessage, ShownPart, ShownTool } from '../neutral/index.ts'
import type {
  AssistantMessage,
  From,
  Image,
  Message,
  Model,
  Said,
  SystemMessage,
  Text,
  Tool,
  Transcript,
} from './types.ts'

type Shown = ShownPart<From>

interface Writing {
  readonly model: Model
  /** Names of the tools that were called. */
  readonly names: ReadonlyMap<string, string>
}

/** The transcript with what is shown; messages that are shown as they came are the very ones that came. */
export function writeTranscript(context: Transcript, shown: ShownCall<From>, model: Model): Transcript {
  const calls = shown.messages.flatMap(({ parts }) => parts.flatMap(({ part }) => (part.type === 'call' ? part : [])))
  const writing: Writing = { model, names: new Map(calls.map(({ id, name }) => [id, name])) }
  const messages = shown.messages.flatMap((message) => writeMessage(message, writing))
  return { ...context, messages: withTools(messages, shown.tools) }
}

/** Tools of ours are added where the first are; one that is told in fewer words is told so where it was added. */
function withTools(messages: readonly Message[], tools: readonly ShownTool<From>[]): readonly Message[] {
  const changed = new Map(tools.filter(({ isChanged }) => isChanged).map(({ tool }) => [tool.name, asTool(tool)]))
  if (changed.size === 0) return messages
  const given = new Set(tools.flatMap(({ tool: { from } }) => (from?.kind === 'tool' ? from.tool.name : [])))
  const ours = [...changed.values()].filter(({ name }) => !given.has(name))
  const leading: SystemMessage = { role: 'system', content: '', timestamp: 0 }
  const [first, ...rest] = messages[0]?.role === 'system' ? messages : [leading, ...messages]
  return [first ?? leading, ...rest].map((message, index) => {
    if (message.role !== 'system') return message
    const added = (message.toolsAdded ?? []).map((tool) => changed.get(tool.name) ?? tool)
    const all = index === 0 ? [...added, ...ours] : added
    return all.length > 0 ? { ...message, toolsAdded: all } : message
  })
}

function asTool({ from, name, description = '', schema }: ShownTool<From>['tool']): Tool {
  const came = from?.kind === 'tool' ? from.tool : {}
  return { ...came, name, description, parameters: isJsonObject(schema) ? schema : {} }
}

function writeMessage({ role, parts }: ShownMessage<From>, writing: Writing): readonly Message[] {
  if (role === 'system') return parts.flatMap(({ part }) => messageOf(part) ?? [])
  const results = parts.flatMap((part) => writeResult(part, writing) ?? [])
  const said = parts.filter(({ part }) => part.type !== 'result')
  return said.length > 0 ? [...results, writeSaid(role, said, writing)] : results
}

function messageOf({ from }: CallPart<From>): Message | undefined {
  return from?.kind === 'message' ? from.message : undefined
}

function writeResult({ part, isChanged }: Shown, { names }: Writing): Message | undefined {
  if (part.type !== 'result') return undefined
  const came = messageOf(part)
  if (came !== undefined && !isChanged) return came
  const { callId: toolCallId, isError, content } = part
  const told = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content.flatMap(contentOf)
  const own = { toolCallId, toolName: names.get(toolCallId) ?? '', isError, timestamp: 0 }
  return { ...own, ...came, role: 'toolResult', content: told }
}

function contentOf(part: CallPart<From>): readonly (Text | Image)[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  const came = part.from?.kind === 'message' ? part.from.part : undefined
  return came?.type === 'image' ? [came] : []
}

function writeSaid(role: 'user' | 'assistant', parts: readonly Shown[], { model }: Writing): Message {
  const came = messageOf(parts[0]!.part)
  const isWhole = parts.every(({ part, isChanged }) => !isChanged && messageOf(part) === came)
  if (came !== undefined && isWhole && lengthOf(came) === parts.length) return came
  if (role === 'user')
    return { timestamp: 0, ...came, role, content: parts.flatMap(({ part }) => contentOf(part)) } as Message
  const known = parts.map(({ part }) => messageOf(part)).find((message) => message?.role === 'assistant')
  return { ...ownReply(model), ...known, content: parts.flatMap(saidOf) }
}

/** How many parts a message is read as. */
function lengthOf({ content }: Message): number {
  return typeof content === 'string' ? 1 : content.length
}

/** A reply that is not pi's own, without what it says. */
export function ownReply({ id: model, api, provider }: Model): AssistantMessage {
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }
  const usage = { ...none, totalTokens: 0, cost: none }
  const own = { api, provider, model, timestamp: 0 }
  return { ...own, role: 'assistant', content: [], usage, stopReason: 'toolUse' }
}

function saidOf({ part, own }: Shown): readonly Said[] {
  const from = part.from?.kind === 'message' ? part.from.part : undefined
  const came = from ?? (isJsonObject(own) ? own : {})
  switch (part.type) {
    case 'text':
      return [{ ...came, type: 'text', text: part.text }]
    case 'reasoning':
      return [{ ...came, type: 'thinking', thinking: part.text }]
    case 'call':
      return [{ ...came, type: 'toolCall', id: part.id, name: part.name, arguments: part.input }]
    default:
      return []
  }
}
