import type { JsonObject, JsonValue } from '../../core/index.ts'
import type { CallMessage, CallPart, CallTool, ModelCall } from './model-call.ts'

/** A call as a request body, and what stands in it by its number. */
export interface CallBody<From> {
  readonly body: JsonObject
  readonly parts: readonly CallPart<From>[]
  readonly tools: readonly CallTool<From>[]
}

/**
 * A call as a body of the dialect whose blocks keep the order of what a model says. Each block has its number in a member of its
 * own, which comes back with it: the number tells what it came from.
 */
export function callBody<From>(call: ModelCall<From>): CallBody<From> {
  const parts: CallPart<From>[] = []
  const numbered = (part: CallPart<From>): JsonObject => {
    const at = parts.push(part) - 1
    return { ...blockOf(part, numbered), at, ...markOf(part) }
  }
  const system = call.messages.filter(({ role }, index) => role === 'system' && index === leading(call, index))
  const rest = call.messages.slice(system.length)
  const body: JsonObject = {
    model: call.model,
    ...(call.maxOutputTokens !== undefined && { max_tokens: call.maxOutputTokens }),
    ...(call.tools.length > 0 && { tools: call.tools.map(toolOf) }),
    ...(!call.choosesFreely && { tool_choice: { type: 'any' } }),
    system: system.flatMap((message) => message.parts.map(numbered)),
    messages: rest.map((message) => ({ role: message.role, content: blocksOf(message, numbered) })),
  }
  return { body, parts, tools: call.tools }
}

/** The index itself where only system messages come before. */
function leading<From>({ messages }: ModelCall<From>, index: number): number {
  const first = messages.findIndex(({ role }) => role !== 'system')
  return first < 0 || index < first ? index : -1
}

function toolOf<From>(tool: CallTool<From>, at: number): JsonObject {
  const { name, description = '', schema } = tool
  if (schema === undefined) return { type: 'provider', name, at, ...markOf(tool) }
  return { name, description, input_schema: schema, at, ...markOf(tool) }
}

/** What is bound is said as the dialect says it: by reasoning that is signed. */
function blocksOf<From>(
  { parts, isBound = false }: CallMessage<From>,
  numbered: (part: CallPart<From>) => JsonObject,
): JsonValue[] {
  const blocks = parts.map(numbered)
  if (!isBound) return blocks
  if (!blocks.some(({ type }) => type === 'thinking')) return [{ type: 'redacted_thinking', data: '' }, ...blocks]
  return blocks.map((block) => (block['type'] === 'thinking' ? { ...block, signature: '' } : block))
}

function blockOf<From>(part: CallPart<From>, numbered: (part: CallPart<From>) => JsonObject): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'reasoning':
      return { type: 'thinking', thinking: part.text }
    case 'call':
      return { type: 'tool_use', id: part.id, name: part.name, input: part.input }
    case 'result': {
      const content = typeof part.content === 'string' ? part.content : part.content.map(numbered)
      return { type: 'tool_result', tool_use_id: part.callId, content, ...(part.isError && { is_error: true }) }
    }
    case 'media':
      return { type: part.kind, source: part.source }
    case 'other':
      return { type: 'other', says: part.says }
  }
}

function markOf({ isMarked = false }: { readonly isMarked?: boolean }): JsonObject {
  return isMarked ? { cache_control: { type: 'ephemeral' } } : {}
}
