import type { RenderedMessage } from '../render.ts'
import type { TraceMessage, TraceRequest } from '../trace.ts'
import { shownText } from './said-text.ts'

/** Characters of what tools brought after the first request. */
export interface RereadFigures {
  readonly brought: number
  /** In lines that tools had brought before: the base rate of the session, whatever is sent. */
  readonly repeated: number
  /** In lines among these that the request before did not show. */
  readonly reread: number
}

export interface Rereading {
  /** The next request, and what was sent for it; nothing where no answer came to it. */
  look(request: TraceRequest, sent: readonly RenderedMessage[]): void
  figures(): RereadFigures
}

/** Follows what a session reads that it had read before. */
export function rereading(): Rereading {
  const known = new Set<string>()
  const seen = new Set<string>()
  let shown: readonly RenderedMessage[] | undefined
  const figures = { brought: 0, repeated: 0, reread: 0 }
  function count(message: TraceMessage, before: readonly RenderedMessage[] | undefined): void {
    const lines = linesBrought(message)
    for (const line of before === undefined ? [] : lines) {
      figures.brought += line.length
      if (!known.has(line)) continue
      figures.repeated += line.length
      if (!before?.some((one) => shownText(one).lines.has(line))) figures.reread += line.length
    }
    for (const line of lines) known.add(line)
  }
  return {
    look({ messages }, sent) {
      for (const message of messages) {
        if (seen.has(message.id)) continue
        seen.add(message.id)
        count(message, shown)
      }
      shown = sent
    },
    figures: () => ({ ...figures }),
  }
}

function linesBrought({ items }: TraceMessage): readonly string[] {
  return items
    .filter(({ kind }) => kind === 'tool-result')
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => line.trim() !== '')
}
