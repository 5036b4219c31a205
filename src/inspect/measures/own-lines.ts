import type { RenderedMessage } from '../render.ts'
import type { NeedlePlace } from '../retention.ts'
import type { Needle, TraceMessage } from '../trace.ts'
import { readText, shownText, textBy } from './said-text.ts'

/** Tells what a request still shows of what the agent has written itself, which may stand anywhere. One serves one trace. */
export interface OwnLines {
  /** Whether a whole line of the agent's own calls with the string in it is still there, as a reader of the call takes it. */
  has(own: Needle, sent: readonly RenderedMessage[]): boolean
  /** Where the newest of the sources says a text. */
  placeOf(text: string, sources: readonly string[]): NeedlePlace | undefined
}

export function ownLines(messages: ReadonlyMap<string, TraceMessage>): OwnLines {
  const known = new Map<string, readonly string[]>()
  const linesWith = ({ text, sources }: Needle): readonly string[] => {
    const key = `${text} ${sources.join(' ')}`
    const before = known.get(key)
    if (before !== undefined) return before
    const all = sources.flatMap((source) => linesOf(messages.get(source), (message) => textBy(message, 'called')))
    const found = [...new Set(all.filter((line) => line.includes(text)))]
    known.set(key, found)
    return found
  }
  return {
    has(own, sent) {
      const wanted = linesWith(own)
      const shows = (message: RenderedMessage): boolean => {
        const { lines } = shownText(message)
        return wanted.some((line) => lines.has(line))
      }
      return sent.some((message) => own.sources.includes(message.sourceId) && shows(message)) || sent.some(shows)
    },
    placeOf(text, sources) {
      for (const source of sources.toReversed()) {
        const message = messages.get(source)
        const lines = linesOf(message, ({ items }) => items.map((item) => readText(item.kind, item.text)).join('\n'))
        const line = lines.findIndex((one) => one.includes(text))
        if (message !== undefined && line >= 0) return { message, lines, line }
      }
      return undefined
    },
  }
}

function linesOf(message: TraceMessage | undefined, textOf: (message: TraceMessage) => string): readonly string[] {
  return message === undefined ? [] : textOf(message).split('\n')
}
