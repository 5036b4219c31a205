import type { Trace, TraceMessage } from '../trace.ts'
import { quotedEdits } from './quoted-lines.ts'
import { textBy } from './said-text.ts'

/** A text that an edit quotes, and the messages that held it. */
export interface QuotedText {
  readonly text: string
  readonly sources: readonly string[]
}

export interface QuotedLine extends QuotedText {
  /** Whether it stood in one place only: other lines are found anywhere, such as `import re`. */
  readonly isOfOnePlace: boolean
}

/** What one edit quotes of what the history held. */
export interface EditText {
  readonly lines: readonly QuotedLine[]
  /** Whether it writes a file that the history does not name, by a here-document. */
  readonly isNewFile: boolean
  /** Its whole old texts, where the history held each of them in one piece; none where it did not. */
  readonly pieces: readonly QuotedText[]
}

/** The edits of each answer that quote anything that the history held. By index of the request. */
export function editTexts(trace: Trace): ReadonlyMap<number, readonly EditText[]> {
  const textOf = messageTexts()
  const found = new Map<number, readonly EditText[]>()
  for (const [index, { messages, answer }] of trace.requests.entries()) {
    if (answer === undefined) continue
    const sourcesOf = (text: string): readonly string[] =>
      messages.filter((message) => textOf(message).includes(text)).map(({ id }) => id)
    const isOnce = (text: string, [source]: readonly string[]): boolean => {
      const held = messages.find(({ id }) => id === source)
      return held !== undefined && textOf(held).split(text).length === 2
    }
    const edits = quotedEdits(answer).flatMap(({ lines, pieces, writes }): readonly EditText[] => {
      const held = lines.flatMap((text): readonly QuotedLine[] => {
        const sources = sourcesOf(text)
        if (sources.length === 0) return []
        return [{ text, sources, isOfOnePlace: sources.length === 1 && isOnce(text, sources) }]
      })
      if (held.length === 0) return []
      const whole = pieces.map((text) => ({ text, sources: sourcesOf(text) }))
      const isWhole = whole.every(({ sources }) => sources.length > 0)
      const isNewFile = writes !== undefined && sourcesOf(writes.split('/').at(-1) ?? writes).length === 0
      return [{ lines: held, isNewFile, pieces: isWhole ? whole : [] }]
    })
    if (edits.length > 0) found.set(index, edits)
  }
  return found
}

/** What a message says, as a reader takes it; made once. */
function messageTexts(): (message: TraceMessage) => string {
  const texts = new Map<string, string>()
  return (message) => {
    const known = texts.get(message.id)
    if (known !== undefined) return known
    const text = (['observed', 'called', 'said'] as const).map((voice) => textBy(message, voice)).join('\n')
    texts.set(message.id, text)
    return text
  }
}
