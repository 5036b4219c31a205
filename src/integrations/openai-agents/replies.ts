import type { JsonValue } from '../../core/index.ts'
import type { AnsweredPart, ModelReply, ReplyPart } from '../neutral/index.ts'
import { inputOf } from './read-request.ts'
import type { AgentOutputItem, ModelResponse, StreamEvent } from './types.ts'

interface Usage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly inputTokensDetails?: unknown
}

/** A response in words of no framework. */
export function readReply(output: readonly AgentOutputItem[], usage: Usage): ModelReply<AgentOutputItem> {
  const parts = output.map(readItem)
  const [details] = [usage.inputTokensDetails].flat() as readonly (Readonly<Record<string, number>> | undefined)[]
  const { inputTokens, outputTokens } = usage
  const told = { inputTokens, outputTokens, cacheReadTokens: details?.['cached_tokens'] }
  return {
    parts,
    stop: parts.some(({ type }) => type === 'call') ? 'calls' : 'end',
    // A response without usage has zeros.
    ...(inputTokens !== undefined && inputTokens > 0 && { usage: told }),
  }
}

function readItem(item: AgentOutputItem): ReplyPart<AgentOutputItem> {
  const own = item as unknown as JsonValue
  if ('role' in item && item.role === 'assistant') {
    const text = item.content.map((part) => ('text' in part ? part.text : '')).join('')
    const isWords = item.content.every(({ type }) => type === 'output_text')
    return isWords ? { type: 'text', text, from: item, own } : { type: 'other', from: item, own }
  }
  if (item.type === 'function_call') {
    return { type: 'call', id: item.callId, name: item.name, input: inputOf(item.arguments), from: item, own }
  }
  if (item.type !== 'reasoning') return { type: 'other', from: item, own }
  return { type: 'reasoning', text: item.content.map(({ text }) => text).join('\n'), from: item, own }
}

/** The items that the caller sees. */
export function writeOutput(parts: readonly AnsweredPart<AgentOutputItem>[]): Output {
  const callIds = new Set(parts.flatMap(({ from }) => (from.type === 'function_call' ? from.callId : [])))
  const items = parts.map(({ from, input }): AgentOutputItem => {
    if (input !== undefined && from.type === 'function_call') return { ...from, arguments: JSON.stringify(input) }
    return 'role' in from && from.role === 'assistant' ? withoutCalls(from, callIds) : from
  })
  return items as Output
}

/** A stream's items are of a narrower type than a model's, and what goes in comes out. */
type Output = ModelResponse['output'] & Extract<StreamEvent, { readonly type: 'response_done' }>['response']['output']

type Said = Extract<AgentOutputItem, { readonly role: 'assistant' }>

/** Models of Chat Completions keep the whole message, calls included, beside its words. */
function withoutCalls(item: Said, visible: ReadonlySet<string>): Said {
  const isHidden = (call: { readonly id?: string }): boolean => !visible.has(call.id ?? '')
  if (!item.content.some(({ providerData }) => callsOf(providerData).some(isHidden))) return item
  const content = item.content.map((part) => {
    const calls = callsOf(part.providerData).filter((call) => !isHidden(call))
    const { tool_calls: _, ...kept } = part.providerData ?? {}
    return { ...part, providerData: calls.length > 0 ? { ...kept, tool_calls: calls } : kept }
  })
  return { ...item, content }
}

function callsOf(data: Readonly<Record<string, unknown>> | undefined): readonly { readonly id?: string }[] {
  const calls = data?.['tool_calls']
  return Array.isArray(calls) ? (calls as readonly { readonly id?: string }[]) : []
}
