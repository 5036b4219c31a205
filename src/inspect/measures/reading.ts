import type { Item } from '../../core/index.ts'
import type { RenderedMessage } from '../render.ts'
import type { Trace, TraceMessage, TraceRequest } from '../trace.ts'
import { failureStatements, statesOne } from './failure-statements.ts'
import { referencesIn, stepsOf } from './references.ts'
import type { Steps } from './references.ts'
import { readText } from './said-text.ts'

/** What a model could not read rightly in the requests of a session. */
export interface ReadingFigures {
  /** References that lead to several places, or to other lines than those that they stand for. */
  readonly referencesAmbiguous: number
  /** Lines of results that no reply had read yet, for which such a reference stood. */
  readonly unreadLinesReplaced: number
  /** Results that state a failure, of which no statement stood any more in a request, nor where a reference in them leads. */
  readonly failuresHidden: number
}

export interface Reading {
  /** A request as it was sent; `brief` is what it says of compacted messages. */
  look(request: TraceRequest, sent: readonly RenderedMessage[], brief?: string): void
  figures(): ReadingFigures
}

/** Follows what one strategy makes of one session; each form of a message is looked at once. */
export function reading(statementsOf: StatementsOf): Reading {
  const seen = new WeakSet<RenderedMessage>()
  const hidden = new Set<string>()
  let referencesAmbiguous = 0
  let unreadLinesReplaced = 0

  function lookAt(shown: RenderedMessage, message: TraceMessage, steps: () => Steps, isUnread: boolean): void {
    const items = new Map(message.items.map((item) => [item.id, item]))
    for (const part of shown.parts) {
      const item = items.get(part.itemId ?? '')
      if (item === undefined || item.text === part.text) continue
      const references = referencesIn(readText(part.kind, part.text), item.text, steps())
      for (const { isExact, lines } of references) {
        if (isExact) continue
        referencesAmbiguous += 1
        if (isUnread) unreadLinesReplaced += lines
      }
    }
  }

  return {
    look(request, sent, brief = '') {
      const { messages } = request
      const answered = messages.findLastIndex(({ role }) => role === 'assistant')
      const shownBy = new Map(sent.map((shown) => [shown.sourceId, shown]))
      let known: Steps | undefined
      const steps = (): Steps => (known ??= stepsOf(shownItems(messages, shownBy)))
      for (const [index, message] of messages.entries()) {
        const shown = shownBy.get(message.id)
        if (shown !== undefined && seen.has(shown)) continue
        if (shown !== undefined) {
          seen.add(shown)
          lookAt(shown, message, steps, index > answered)
        }
        const statements = hidden.has(message.id) ? [] : statementsOf(message, messages)
        if (statements.length === 0 || statesOne(shown?.text ?? brief, statements) || statesOne(brief, statements))
          continue
        const isReferred = shown !== undefined && refersOn(shown, message, steps)
        if (!isReferred || !sent.some(({ text }) => statesOne(text, statements))) hidden.add(message.id)
      }
    },
    figures: () => ({ referencesAmbiguous, unreadLinesReplaced, failuresHidden: hidden.size }),
  }
}

/** Whether lines of a message are shown by a reference to where they stand. */
function refersOn(shown: RenderedMessage, { items }: TraceMessage, steps: () => Steps): boolean {
  return shown.parts.some(({ itemId, kind, text }) => {
    const item = items.find(({ id }) => id === itemId)
    return item !== undefined && item.text !== text && referencesIn(readText(kind, text), item.text, steps()).length > 0
  })
}

/** What a conversation says to whoever reads the request. */
function* shownItems(
  messages: readonly TraceMessage[],
  shownBy: ReadonlyMap<string, RenderedMessage>,
): Generator<Pick<Item, 'kind' | 'text' | 'toolCallId'>> {
  for (const { id, items } of messages) {
    const parts = new Map(shownBy.get(id)?.parts.map(({ itemId, text }) => [itemId, text]))
    for (const item of items) yield { ...item, text: parts.get(item.id) ?? '' }
  }
}

type StatementsOf = (message: TraceMessage, messages: readonly TraceMessage[]) => readonly string[]

/** The failures that a message of a trace states; found once. */
export function failuresOf(trace: Trace): StatementsOf {
  const calls = new Map<string, Item>()
  for (const { messages } of trace.requests.slice(-1))
    for (const { items } of messages)
      for (const item of items)
        if (item.kind === 'tool-call' && item.toolCallId !== undefined) calls.set(item.toolCallId, item)
  const known = new Map<string, readonly string[]>()
  return (message) => {
    const before = known.get(message.id)
    if (before !== undefined) return before
    const found = message.items.flatMap((item) =>
      item.kind === 'tool-result' ? failureStatements(item, calls.get(item.toolCallId ?? '')) : [],
    )
    known.set(message.id, found)
    return found
  }
}
