import type { JsonObject, JsonValue } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { CallBody } from './call-body.ts'
import type { CallPart, CallTool, ShownCall, ShownMessage, ShownPart, ShownTool } from './model-call.ts'

/** Reads what is to be sent, block by block, by what it came from. */
export function shownCall<From>({ parts, tools }: Omit<CallBody<From>, 'body'>, body: JsonObject): ShownCall<From> {
  const shown = (block: JsonObject): ShownPart<From> => shownPart(block, partAt(parts, block), shown)
  const system = objects(body['system']).map((block): ShownMessage<From> => ({ role: 'system', parts: [shown(block)] }))
  const messages = objects(body['messages']).map((message): ShownMessage<From> => {
    const { role, content } = message
    return {
      role: role === 'assistant' || role === 'system' ? role : 'user',
      parts: (typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content))
        .filter((block) => !isBinding(block))
        .map(shown),
    }
  })
  return { tools: objects(body['tools']).map((tool) => shownTool(tool, tools)), messages: [...system, ...messages] }
}

function partAt<From>(parts: readonly CallPart<From>[], { at }: JsonObject): CallPart<From> | undefined {
  return typeof at === 'number' ? parts[at] : undefined
}

/** Stands only for the message being bound. */
function isBinding(block: JsonObject): boolean {
  return block['type'] === 'redacted_thinking' && block['at'] === undefined
}

function shownPart<From>(
  block: JsonObject,
  came: CallPart<From> | undefined,
  shown: (block: JsonObject) => ShownPart<From>,
): ShownPart<From> {
  const { own } = block
  const part = came === undefined ? newPart<From>(block) : partNow(came, block, shown)
  return {
    part,
    isChanged: part !== came,
    ...(came?.isMarked !== true && ttlOf(block)),
    ...(own !== undefined && { own }),
  }
}

/** The part itself where it says what it said. */
function partNow<From>(
  came: CallPart<From>,
  block: JsonObject,
  shown: (block: JsonObject) => ShownPart<From>,
): CallPart<From> {
  switch (came.type) {
    case 'text': {
      const text = textOf(block)
      return text === came.text ? came : { ...came, text }
    }
    case 'call': {
      const input = block['input']
      return !isJsonObject(input) || JSON.stringify(input) === JSON.stringify(came.input) ? came : { ...came, input }
    }
    case 'result': {
      const { content } = block
      if (typeof content === 'string') return content === came.content ? came : { ...came, content }
      const nested = objects(content).map(shown)
      const same = nested.length === came.content.length && nested.every(({ isChanged }) => !isChanged)
      return same ? came : { ...came, content: nested.map(({ part }) => part) }
    }
    default:
      return came
  }
}

/** What stands here because of us: a round that the caller has not seen. */
function newPart<From>(block: JsonObject): CallPart<From> {
  const { input, content } = block
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: textOf(block) }
    case 'thinking':
      return { type: 'reasoning', text: string(block['thinking']) }
    case 'tool_use':
      return {
        type: 'call',
        id: string(block['id']),
        name: string(block['name']),
        input: isJsonObject(input) ? input : {},
      }
    case 'tool_result': {
      const text = typeof content === 'string' ? content : objects(content).map(textOf).join('\n')
      return {
        type: 'result',
        callId: string(block['tool_use_id']),
        isError: block['is_error'] === true,
        content: text,
      }
    }
    default:
      return { type: 'other', says: block }
  }
}

function shownTool<From>(block: JsonObject, tools: readonly CallTool<From>[]): ShownTool<From> {
  const { at, name, description, input_schema: schema } = block
  const came = typeof at === 'number' ? tools[at] : undefined
  const isSame =
    came !== undefined &&
    (came.schema === undefined ||
      (description === (came.description ?? '') && JSON.stringify(schema) === JSON.stringify(came.schema)))
  const tool = isSame ? came : { ...came, name: string(name), description: string(description), schema }
  return { tool, isChanged: !isSame, ...(came?.isMarked !== true && ttlOf(block)) }
}

function ttlOf({ cache_control: control }: JsonObject): { readonly cacheTtl?: '5m' | '1h' } {
  if (!isJsonObject(control)) return {}
  return { cacheTtl: control['ttl'] === '1h' ? '1h' : '5m' }
}

function textOf({ text }: JsonObject): string {
  return string(text)
}

function string(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
