import type { Summary } from '../../core/index.ts'
import { lineText, writeMarker } from '../../ladders/index.ts'

export interface SummaryHead {
  /** Ordinals of the turns that it stands for, from 1. */
  readonly first: number
  readonly last: number
  /** What those take as they were said. */
  readonly tokens: number
  /** Brings them back; absent where nothing can be brought back. */
  readonly handle?: string | undefined
  /** Whether what is no more than said stands as a list of points. */
  readonly bullets?: boolean
}

const tag = 'conversation_summary'

/** A summary as it stands in a context: what it stands for and how that comes back, then what was said. No line can close it. */
export function summaryText(summary: Summary, head: SummaryHead): string {
  return wrappedSummary(summaryLines(summary, head))
}

/** Lines of summaries as one. */
export function wrappedSummary(lines: readonly string[]): string {
  return [`<${tag}>`, ...lines, `</${tag}>`].join('\n')
}

/** The same without what stands around it. */
export function summaryLines({ lines, tables, prose }: Summary, head: SummaryHead): readonly string[] {
  const { first, last, tokens, handle, bullets = false } = head
  const marker = handle === undefined ? [] : [writeMarker('summary', { first, last, tokens, handle })]
  const quoted = lines.map((line) => (bullets && line.mark === undefined ? `- ${lineText(line)}` : lineText(line)))
  const label = lines.length + tables.length === 0 ? [] : [`Extract of turns ${first}-${last}, word for word:`]
  return [...marker, ...(prose === undefined ? [] : [prose]), ...label, ...quoted, ...tables].map(plain)
}

/** Nothing that was said ends the summary that quotes it. */
function plain(text: string): string {
  return text.replaceAll(tag, 'conversation-summary')
}
