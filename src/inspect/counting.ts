import type { Item, Tokenizer } from '../core/index.ts'
import type { Overhead } from '../sessions/index.ts'
import { memoCounter } from '../tokens/index.ts'
import type { ConversationShape } from '../tokens/index.ts'
import type { Trace, TraceMessage } from './trace.ts'

/** How the tokens of a request are counted. */
export interface Counting extends Omit<Tokenizer, 'id'> {
  /** What the request costs beside its items; without a provider's frames by default. */
  readonly overhead?: Overhead
}

/** As billing rules count, every text once. */
export function countingOf({
  tokenizer,
  overhead,
}: {
  readonly tokenizer: Tokenizer
  readonly overhead: Overhead
}): Counting {
  return { ...memoCounter(tokenizer), overhead }
}

/** What a request costs beside its items where no provider frames it: the names of its calls, and tools that are no items as JSON. */
export function bareOverhead(count: Tokenizer['count']): Overhead {
  return ({ items, addedTools = [] }) => {
    const names = items.map(({ kind, toolName }) => (kind === 'tool-call' ? (toolName ?? '') : ''))
    const texts = [...names, ...addedTools.map((definition) => JSON.stringify(definition))]
    return texts.reduce((tokens, text) => tokens + (text === '' ? 0 : count(text)), 0)
  }
}

/** Messages of a trace in the form in which overhead is counted. Tools stand outside the messages. */
export function shapeOf(messages: readonly TraceMessage[]): ConversationShape {
  const items = messages.flatMap((message) => message.items)
  return { messages: messages.filter((message) => !message.items.some(isTool)), items, tools: items.filter(isTool) }
}

/**
 * The overhead of a session whose agent calls tools, recorded or not: what a provider adds because there are tools is there without ours.
 */
export function overheadIn({ requests }: Trace, overhead: Overhead): Overhead {
  const callsTools = requests.some(({ messages, answer }) =>
    [...messages, ...(answer ? [answer] : [])].some(({ items }) => items.some(({ kind }) => kind === 'tool-call')),
  )
  return callsTools ? (shape) => overhead({ ...shape, tools: ['unrecorded'] }) : overhead
}

function isTool({ kind }: Item): boolean {
  return kind === 'tool-schema'
}
