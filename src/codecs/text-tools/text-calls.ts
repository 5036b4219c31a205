import type { Conversation, ReplyEvent } from '../../core/index.ts'
import type { ReadingState, ReplyReader } from '../replies/reply-reader.ts'
import type { TextArgument } from './text-argument.ts'
import { noText, restOfText, textIn } from './text-argument.ts'

interface Reading extends ReadingState {
  readonly inner: ReadingState
  readonly text?: TextArgument | undefined
}

interface Told {
  readonly text?: TextArgument | undefined
  readonly events: readonly ReplyEvent[]
}

/** A reader of a provider that was given the conversation's text tools as functions: calls of them say the text. */
export function readingTextCalls(
  reader: ReplyReader,
  { textTools = [] }: Pick<Conversation, 'textTools'>,
): ReplyReader {
  if (textTools.length === 0) return reader
  const names = new Set(textTools.map(({ name }) => name))
  const initial: Reading = { ended: false, inner: reader.initial }
  // States come from this reader only.
  const own = (state: ReadingState): Reading => state as Reading
  return {
    whole: (body) => retold(reader.whole(body), names).events,
    initial,
    step(before, event) {
      const state = own(before)
      const { state: inner, events } = reader.step(state.inner, event)
      const told = retold(events, names, state.text)
      return { state: { ended: inner.ended, inner, text: told.text } satisfies Reading, events: told.events }
    },
    close: (state) => retold(reader.close(own(state).inner), names, own(state).text).events,
  }
}

function retold(events: readonly ReplyEvent[], names: ReadonlySet<string>, before?: TextArgument): Told {
  let text = before
  const out: ReplyEvent[] = []
  for (const event of events) {
    const told = next(event, names, text)
    text = told.text
    out.push(...told.events)
  }
  return { text, events: out }
}

/** Calls follow one another, so that one text at a time is read. */
function next(event: ReplyEvent, names: ReadonlySet<string>, text: TextArgument | undefined): Told {
  if (event.kind === 'call' && event.isText !== true && names.has(event.name))
    return { text: noText, events: [{ ...event, isText: true }] }
  if (text === undefined) return { events: [event] }
  if (event.kind === 'arguments') {
    const step = textIn(text, event.text)
    return { text: step.state, events: pieces(event.call, step.text) }
  }
  if (event.kind !== 'call-end') return { text, events: [event] }
  return { events: [...pieces(event.call, restOfText(text)), event] }
}

function pieces(call: number, text: string): readonly ReplyEvent[] {
  return text === '' ? [] : [{ kind: 'arguments', call, text }]
}
