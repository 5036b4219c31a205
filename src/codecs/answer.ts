import type { ReplyEvent, ToolCall, Usage } from '../core/index.ts'
import type { ReplyWriter } from './replies/reply-writer.ts'
import { saidReply } from './replies/said-reply.ts'
import type { SseEvent } from './sse.ts'

/** What is to be said to a client without a model. */
export interface Answer {
  readonly id: string
  readonly model: string
  readonly text: string
  readonly toolCalls?: readonly ToolCall[]
  /** Nothing was used by default. */
  readonly usage?: Usage
  readonly createdMs: number
}

/** An answer in the words of a dialect, as a whole and as a stream. */
export interface WrittenAnswer {
  readonly body: string
  readonly events: readonly SseEvent[]
}

/** An answer that ends in order. */
export function writtenAnswer(writer: ReplyWriter, answer: Answer): WrittenAnswer {
  const { id, model, createdMs } = answer
  const told = eventsOf(answer)
  const events: SseEvent[] = []
  let state = writer.begin({ id, model, createdMs })
  for (const event of told) {
    const step = writer.step(state, event)
    state = step.state
    events.push(...step.events)
  }
  return { body: writer.whole(saidReply(told), { id, model, createdMs }), events }
}

function eventsOf({
  text,
  toolCalls = [],
  usage = { inputTokens: 0, outputTokens: 0 },
}: Answer): readonly ReplyEvent[] {
  const calls = toolCalls.flatMap(({ id, name, arguments: json }, call): readonly ReplyEvent[] => [
    { kind: 'call', call, id, name },
    { kind: 'arguments', call, text: json },
    { kind: 'call-end', call },
  ])
  const said: readonly ReplyEvent[] = text === '' ? [] : [{ kind: 'text', text }]
  const reason = calls.length > 0 ? 'tool-calls' : 'end'
  return [{ kind: 'begin' }, ...said, ...calls, { kind: 'end', reason, usage }]
}
