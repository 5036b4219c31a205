import { stableJson } from '../core/index.ts'
import type { Conversation, Item, Role } from '../core/index.ts'
import type { Trace, TraceMessage, TraceRequest } from './trace.ts'

/** A request of a conversation as a codec has read it, in whatever dialect. */
export interface RecordedConversation {
  readonly conversation: Conversation
  /** When it came, in milliseconds since the epoch. */
  readonly atMs: number
  /** What the model wrote in answer, as its provider reported it. */
  readonly answerTokens?: number | undefined
}

/** The trace of one conversation, by its requests in their order: a message that comes again at its place is the same. */
export function conversationTrace(id: string, recorded: readonly RecordedConversation[]): Trace {
  const messagesOf = sharedMessages()
  const all = recorded.map(({ conversation, ...others }) => ({ messages: messagesOf(conversation), ...others }))
  const requests = all.map((request, index): TraceRequest => {
    const answer = answerTo(request.messages, all[index + 1]?.messages)
    return { ...request, ...(answer && { answer }) }
  })
  const model = recorded[0]?.conversation.model
  return { id, ...(model ? { model } : {}), requests }
}

/** The answer to a request stands in the one after it, where the conversation goes on. */
function answerTo(
  messages: readonly TraceMessage[],
  next: readonly TraceMessage[] | undefined,
): TraceMessage | undefined {
  const answer = next?.[messages.length]
  return answer?.role === 'assistant' && next?.[messages.length - 1] === messages.at(-1) ? answer : undefined
}

function sharedMessages(): (conversation: Conversation) => readonly TraceMessage[] {
  const known = new Map<string, TraceMessage>()
  const shared = (place: string, role: Role, items: readonly Item[]): TraceMessage => {
    const key = `${place} ${role} ${stableJson(items.map(({ id: _id, ...item }) => item))}`
    const found = known.get(key)
    if (found) return found
    const id = place === 'tools' && known.size === 0 ? 'tools' : `m${known.size}`
    const own = items.map((item, index) => ({ ...item, id: `${id}.${index}` }))
    const message: TraceMessage = { id, role, items: own }
    known.set(key, message)
    return message
  }
  return ({ messages, items }) => {
    const byId = new Map(items.map((item) => [item.id, item]))
    const inMessages = new Set(messages.flatMap(({ itemIds }) => itemIds))
    const front = items.filter(({ id }) => !inMessages.has(id))
    return [
      ...(front.length > 0 ? [shared('tools', 'system', front)] : []),
      ...messages.map(({ role, itemIds }, index) =>
        shared(
          String(index),
          role,
          itemIds.flatMap((id) => byId.get(id) ?? []),
        ),
      ),
    ]
  }
}
