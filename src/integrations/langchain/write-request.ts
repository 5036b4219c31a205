import type { BaseMessage } from '@langchain/core/messages'
import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import type { CallPart, ShownCall, ShownMessage, ShownPart, ShownTool } from '../neutral/index.ts'
import { callBlocks } from './call-blocks.ts'
import { modelName } from './read-request.ts'
import type { Block, Call, Core, From, ModelRequest, Tool } from './types.ts'

/** The request with what is shown; messages that are shown as they came are the very ones that came. */
export function writeRequest(request: ModelRequest, shown: ShownCall<From>, core: Core): ModelRequest {
  const messages = shown.messages.flatMap((message) => writeMessage(message, core))
  const ttl = shown.messages.flatMap(({ parts }) => parts.flatMap(({ cacheTtl }) => cacheTtl ?? []))[0]
  const { modelSettings = {} } = request
  const marks = ttl !== undefined && takesMarkers(request) && modelSettings['cache_control'] === undefined
  const control = ttl === '1h' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' }
  return {
    ...request,
    messages,
    tools: shown.tools.map(writeTool),
    ...(marks && { modelSettings: { ...modelSettings, cache_control: control } }),
  }
}

/** Anthropic's own class marks where the prompt ends when a call says so. */
function takesMarkers(request: ModelRequest): boolean {
  const { model } = request
  const name = 'getName' in model && typeof model.getName === 'function' ? model.getName() : undefined
  return name === 'ChatAnthropic' && /claude/i.test(modelName(request))
}

/** As plain JSON, which every model's class takes: a tool that the agent runs may not be replaced by another that it would. */
function writeTool({ tool, isChanged }: ShownTool<From>): Tool {
  const { from, name, description = '', schema = {} } = tool
  if (from?.kind === 'tool' && !isChanged) return from.tool
  return { type: 'function', function: { name, description, parameters: schema } }
}

function writeMessage({ role, parts }: ShownMessage<From>, core: Core): readonly BaseMessage[] {
  const [first] = parts
  if (first === undefined || first.part.from?.kind === 'system') return []
  const results = parts.filter(({ part }) => part.type === 'result').map((part) => writeResult(part, core))
  const said = parts.filter(({ part }) => part.type !== 'result')
  if (said.length === 0) return results
  return [...results, writeSaid(role, said, core)]
}

function writeResult({ part, isChanged }: ShownPart<From>, { messages: core }: Core): BaseMessage {
  const came = part.from?.kind === 'result' ? part.from.message : undefined
  if (came && !isChanged) return came
  if (part.type !== 'result') throw new TypeError('a result is a result')
  const content =
    typeof part.content === 'string' ? part.content : part.content.flatMap((one) => resultBlock(one) ?? [])
  const status = part.isError ? 'error' : 'success'
  return new core.ToolMessage({ ...fieldsOf(came), content, tool_call_id: part.callId, status } as never)
}

function resultBlock(part: CallPart<From>): Block | undefined {
  const came = part.from?.kind === 'result' ? part.from.block : undefined
  return part.type === 'text' ? { ...came, type: 'text', text: part.text } : came
}

function fieldsOf(message: BaseMessage | undefined): object {
  return message === undefined ? {} : message.lc_kwargs
}

function writeSaid(role: ShownMessage<From>['role'], parts: readonly ShownPart<From>[], core: Core): BaseMessage {
  const came = parts.map(({ part: { from } }) => (from?.kind === 'message' ? from.message : undefined))
  const [message] = came
  const isWhole = message !== undefined && came.every((one) => one === message) && partsOf(message) === parts.length
  if (isWhole && parts.every(({ isChanged }) => !isChanged)) return message
  const { AIMessage, HumanMessage, SystemMessage } = core.messages
  const known = came.find((one) => one !== undefined)
  const content = contentOf(parts)
  if (role === 'system') return new SystemMessage({ ...fieldsOf(known), content })
  if (role === 'user') return new HumanMessage({ ...fieldsOf(known), content })
  const calls = parts.flatMap(({ part }): readonly Call[] => {
    if (part.type !== 'call') return []
    return [{ type: 'tool_call', id: part.id, name: part.name, args: { ...part.input } }]
  })
  return new AIMessage({ ...fieldsOf(known), ...keptFields(parts), content, tool_calls: calls })
}

/** How many parts a message is read as. */
function partsOf(message: BaseMessage): number {
  const calls = 'tool_calls' in message && Array.isArray(message.tool_calls) ? message.tool_calls.length : 0
  const { content } = message
  if (typeof content === 'string') return calls + (content === '' ? 0 : 1)
  return calls + content.filter(({ type }) => !callBlocks.has(type)).length
}

function contentOf(parts: readonly ShownPart<From>[]): string | Block[] {
  const said = parts.filter(({ part }) => part.type !== 'call')
  const blocks = said.flatMap((shown) => blockOf(shown) ?? [])
  const isWords = said.every(({ part, own }) => part.type === 'text' && blockIn(part, own) === undefined)
  return isWords ? blocks.map((block) => String(block['text'])).join('') : blocks
}

function blockIn({ from }: CallPart<From>, own: JsonValue | undefined): Block | undefined {
  if (from?.kind === 'message') return from.block
  return isJsonObject(own) && isJsonObject(own['block']) ? (own['block'] as Block) : undefined
}

function blockOf({ part, own }: ShownPart<From>): Block | undefined {
  const came = blockIn(part, own)
  return part.type === 'text' ? { ...came, type: 'text', text: part.text } : came
}

/** What stood beside the words of a reply in a round that the caller has not seen. */
function keptFields(parts: readonly ShownPart<From>[]): JsonObject {
  for (const { own } of parts) if (isJsonObject(own) && isJsonObject(own['message'])) return own['message']
  return {}
}
