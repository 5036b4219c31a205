import { isJsonObject } from '../../core/index.ts'
import type { CallPart, ShownCall, ShownMessage, ShownPart, ShownTool } from '../neutral/index.ts'
import type { AgentInputItem, From, ModelRequest, Tool } from './types.ts'

/** The request with what is shown; items that are shown as they came are the very ones that came. */
export function writeRequest(request: ModelRequest, shown: ShownCall<From>): ModelRequest {
  const calls = shown.messages.flatMap(({ parts }) => parts.flatMap(({ part }) => (part.type === 'call' ? part : [])))
  const names = new Map(calls.map(({ id, name }) => [id, name]))
  const input = shown.messages.flatMap((message) => writeMessage(message, names))
  const [only] = input
  return {
    ...request,
    input:
      typeof request.input === 'string' && input.length === 1 && isText(only, request.input) ? request.input : input,
    tools: shown.tools.flatMap((tool) => writeTool(tool) ?? []),
  }
}

function isText(item: AgentInputItem | undefined, text: string): boolean {
  return item !== undefined && 'content' in item && item.content === text
}

/** Handoffs have a list of their own, in which they stay. */
function writeTool({ tool, isChanged }: ShownTool<From>): Tool | undefined {
  const { from, name, description = '', schema } = tool
  if (from?.kind === 'handoff') return undefined
  const came = from?.kind === 'tool' ? from.tool : undefined
  if (came && !isChanged) return came
  const written = { type: 'function', strict: false, ...came, name, description, parameters: schema }
  return written as unknown as Tool
}

type Names = ReadonlyMap<string, string>

function writeMessage({ role, parts }: ShownMessage<From>, names: Names): readonly AgentInputItem[] {
  return byItem(parts).flatMap((own) => {
    const item = itemOf(own[0])
    return (item === undefined ? newItem(own[0], role, names) : writeItem(item, own)) ?? []
  })
}

/** Parts that follow one another and are of one item. */
function byItem(parts: readonly ShownPart<From>[]): readonly (readonly ShownPart<From>[])[] {
  const all: ShownPart<From>[][] = []
  for (const part of parts) {
    const item = itemOf(part)
    const before = all.at(-1)
    if (before && item !== undefined && itemOf(before[0]) === item) before.push(part)
    else all.push([part])
  }
  return all
}

function itemOf(shown: ShownPart<From> | undefined): AgentInputItem | undefined {
  return shown?.part.from?.kind === 'item' ? shown.part.from.item : undefined
}

function writeItem(item: AgentInputItem, parts: readonly ShownPart<From>[]): AgentInputItem {
  if (parts.every(({ isChanged }) => !isChanged) && parts.length === partsOf(item)) return item
  const [{ part }] = parts as readonly [ShownPart<From>]
  switch (part.type) {
    case 'call':
      return { ...item, arguments: JSON.stringify(part.input) } as AgentInputItem
    case 'result':
      return { ...item, output: outputOf(part) } as AgentInputItem
    case 'text':
    case 'media':
    case 'other': {
      const isWords = 'content' in item && typeof item.content === 'string'
      const content = parts.flatMap((shown) => contentOf(shown.part) ?? [])
      return { ...item, content: isWords && part.type === 'text' ? part.text : content } as AgentInputItem
    }
    default:
      return item
  }
}

/** How many parts an item is read as. */
function partsOf(item: AgentInputItem): number {
  return 'role' in item && typeof item.content !== 'string' ? item.content.length : 1
}

function outputOf({ content }: Extract<CallPart<From>, { readonly type: 'result' }>): unknown {
  if (typeof content === 'string') return content
  const parts = content.flatMap((part) => contentOf(part) ?? [])
  return parts.length === 1 ? parts[0] : parts
}

function contentOf(part: CallPart<From>): object | undefined {
  const came = part.from?.kind === 'item' ? part.from.content : undefined
  return part.type === 'text' ? { type: 'input_text', ...came, text: part.text } : came
}

/** An item of a round that the caller has not seen, or the request's one text. */
function newItem(
  shown: ShownPart<From> | undefined,
  role: ShownMessage<From>['role'],
  names: Names,
): AgentInputItem | undefined {
  if (shown === undefined || shown.part.from?.kind === 'system') return undefined
  const { part, own } = shown
  const kept = isJsonObject(own) ? own : {}
  switch (part.type) {
    case 'call': {
      const { id: callId, name, input } = part
      return { ...kept, type: 'function_call', callId, name, arguments: JSON.stringify(input) }
    }
    case 'result': {
      const { callId } = part
      const output = outputOf(part)
      return {
        type: 'function_call_result',
        callId,
        name: names.get(callId) ?? '',
        status: 'completed',
        output,
      } as AgentInputItem
    }
    case 'text': {
      if (role !== 'assistant') return { type: 'message', role, content: part.text }
      const content = [{ type: 'output_text', text: part.text }]
      return { status: 'completed', ...kept, type: 'message', role, content } as AgentInputItem
    }
    default:
      return kept['type'] === undefined ? undefined : (kept as unknown as AgentInputItem)
  }
}
