import type { Trace, TraceMessage } from '../trace.ts'
import { quotedLines } from './quoted-lines.ts'
import { textBy } from './said-text.ts'

/** A line that an edit quotes, and the messages that held it. */
export interface QuotedLine {
  readonly text: string
  readonly sources: readonly string[]
}

/** What one edit quotes of what the history held. */
export type EditText = readonly QuotedLine[]

/** The edits of each answer that quote anything that the history held. By index of the request. */
export function editTexts(trace: Trace): ReadonlyMap<number, readonly EditText[]> {
  const texts = new Map<string, string>()
  const textOf = (message: TraceMessage): string => {
    const known = texts.get(message.id)
    if (known !== undefined) return known
    const text = (['observed', 'called', 'said'] as const).map((voice) => textBy(message, voice)).join('\n')
    texts.set(message.id, text)
    return text
  }
  const found = new Map<number, readonly EditText[]>()
  for (const [index, { messages, answer }] of trace.requests.entries()) {
    if (answer === undefined) continue
    const edits = quotedLines(answer).flatMap((lines): readonly EditText[] => {
      const held = lines.flatMap((text): readonly QuotedLine[] => {
        const sources = messages.filter((message) => textOf(message).includes(text)).map(({ id }) => id)
        return sources.length === 0 ? [] : [{ text, sources }]
      })
      return held.length === 0 ? [] : [held]
    })
    if (edits.length > 0) found.set(index, edits)
  }
  return found
}
