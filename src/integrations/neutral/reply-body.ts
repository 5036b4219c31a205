import type { JsonObject, JsonValue } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { AnsweredPart, ModelReply, ReplyPart, ReplyUsage } from './model-call.ts'

const stopReasons = { calls: 'tool_use', end: 'end_turn', length: 'max_tokens', other: 'other' } as const

/** Writes replies as bodies and finds their parts again, through all rounds of one call. */
export interface ReplyBodies<From> {
  write(reply: ModelReply<From>): JsonObject
  read(body: JsonObject): readonly AnsweredPart<From>[]
}

export function replyBodies<From>(): ReplyBodies<From> {
  const known = new Map<string, ReplyPart<From>>()
  const blockOf = (part: ReplyPart<From>): JsonObject => {
    const at = `r${known.size}`
    known.set(at, part)
    return { ...saidBy(part), at, ...(part.own !== undefined && { own: part.own }) }
  }
  return {
    write: ({ parts, stop, usage }) => ({
      type: 'message',
      role: 'assistant',
      content: parts.map(blockOf),
      stop_reason: stopReasons[stop],
      ...(usage && usageOf(usage)),
    }),
    read: ({ content }) =>
      blocks(content).flatMap((block): readonly AnsweredPart<From>[] => {
        const part = known.get(String(block['at']))
        return part === undefined ? [] : [answeredPart(part, block)]
      }),
  }
}

function saidBy<From>(part: ReplyPart<From>): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'reasoning':
      return { type: 'thinking', thinking: part.text }
    case 'call':
      return { type: 'tool_use', id: part.id, name: part.name, input: part.input }
    case 'other':
      return { type: 'other' }
  }
}

function answeredPart<From>(part: ReplyPart<From>, { input }: JsonObject): AnsweredPart<From> {
  const { from } = part
  if (part.type !== 'call' || !isJsonObject(input)) return { from }
  return JSON.stringify(input) === JSON.stringify(part.input) ? { from } : { from, input }
}

function usageOf({ inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: ReplyUsage): JsonObject {
  if (inputTokens === undefined) return {}
  return {
    usage: {
      input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
      output_tokens: outputTokens ?? 0,
      cache_read_input_tokens: cacheReadTokens,
      cache_creation_input_tokens: cacheWriteTokens,
    },
  }
}

function blocks(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
