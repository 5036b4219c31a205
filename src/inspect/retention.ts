import type { RenderedMessage } from './render.ts'
import type { Needle, TraceMessage } from './trace.ts'

/**
 * Tells what a packed request still shows. Needles stood in tool output only, so they are looked for in tool output
 * only: elsewhere they would be part of something else. One serves one trace.
 */
export interface RetentionReport {
  /** Whether a source still shows the string, or any tool output the line. */
  hasNeedle(needle: Needle, sent: readonly RenderedMessage[]): boolean
  /** Whether a whole line of a source with the needle in it is still there, verbatim. */
  hasLine(needle: Needle, sent: readonly RenderedMessage[]): boolean
  /** Lines of the newest source that hold the needle, by their index. */
  placeOf(needle: Needle): NeedlePlace | undefined
}

export interface NeedlePlace {
  readonly message: TraceMessage
  readonly lines: readonly string[]
  /** Index of the first line that holds the needle. */
  readonly line: number
}

export function retention(messages: ReadonlyMap<string, TraceMessage>): RetentionReport {
  const lineSets = new Map<string, ReadonlySet<string>>()
  const needleLines = new Map<string, readonly string[]>()

  function linesIn(text: string): ReadonlySet<string> {
    let lines = lineSets.get(text)
    if (lines === undefined) {
      lines = new Set(text.split('\n'))
      lineSets.set(text, lines)
    }
    return lines
  }

  function linesWith(needle: Needle, sourceId: string): readonly string[] {
    const key = `${sourceId} ${needle.text}`
    let lines = needleLines.get(key)
    if (lines === undefined) {
      lines = [
        ...new Set(
          observed(messages.get(sourceId))
            .split('\n')
            .filter((line) => line.includes(needle.text)),
        ),
      ]
      needleLines.set(key, lines)
    }
    return lines
  }

  function hasLine(needle: Needle, sent: readonly RenderedMessage[]): boolean {
    const wanted = [...new Set(needle.sources.flatMap((source) => linesWith(needle, source)))]
    const shows = (message: RenderedMessage): boolean => {
      const present = linesIn(message.writtenOut ?? message.text)
      return wanted.some((line) => present.has(line))
    }
    // The needle's own sources first: that is where it most likely still is.
    return (
      sent.some((message) => needle.sources.includes(message.sourceId) && shows(message)) ||
      sent.some((message) => message.observation && shows(message))
    )
  }

  return {
    hasLine,
    hasNeedle: (needle, sent) =>
      sent.some(
        (message) =>
          needle.sources.includes(message.sourceId) && (message.writtenOut ?? message.text).includes(needle.text),
      ) || hasLine(needle, sent),
    placeOf(needle) {
      for (const source of needle.sources.toReversed()) {
        const message = messages.get(source)
        const lines = observed(message).split('\n')
        const line = lines.findIndex((text) => text.includes(needle.text))
        if (message !== undefined && line >= 0) return { message, lines, line }
      }
      return undefined
    },
  }
}

/** The tool output in a message. */
function observed(message: TraceMessage | undefined): string {
  const results = message?.items.filter((item) => item.kind === 'tool-result') ?? []
  return results.map((item) => item.text).join('\n')
}
