import type { JsonValue } from '../../core/index.ts'
import type { AnsweredPart, ModelReply, ReplyPart } from '../neutral/index.ts'
import type { AssistantMessage, Said } from './types.ts'

const stops: Readonly<Record<string, ModelReply<Said>['stop']>> = { stop: 'end', toolUse: 'calls', length: 'length' }

/** A reply in words of no framework. */
export function readReply({ content, stopReason, usage }: AssistantMessage): ModelReply<Said> {
  const { input, output: outputTokens, cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens } = usage
  const inputTokens = input + cacheReadTokens + cacheWriteTokens
  return {
    parts: content.map(readSaid),
    stop: stops[stopReason] ?? 'other',
    // A reply whose provider tells no usage has zeros.
    ...(inputTokens > 0 && { usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } }),
  }
}

function readSaid(part: Said): ReplyPart<Said> {
  const own = part as unknown as JsonValue
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, from: part, own }
    case 'thinking':
      return { type: 'reasoning', text: part.thinking, from: part, own }
    case 'toolCall':
      return { type: 'call', id: part.id, name: part.name, input: part.arguments, from: part, own }
  }
}

/** What pi sees of all rounds; where no call is left, the model has not stopped to wait for one. */
export function writeReply(last: AssistantMessage, parts: readonly AnsweredPart<Said>[]): AssistantMessage {
  const content = parts.map(({ from, input }) =>
    input !== undefined && from.type === 'toolCall' ? { ...from, arguments: input } : from,
  )
  const isOver = last.stopReason === 'toolUse' && content.every(({ type }) => type !== 'toolCall')
  return { ...last, content, stopReason: isOver ? 'stop' : last.stopReason }
}
