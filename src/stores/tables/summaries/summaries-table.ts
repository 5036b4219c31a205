import type { GivenSummary } from '../../../core/index.ts'
import { keyedTable } from '../keyed-table.ts'
import { moveFromOriginals } from '../move-from-originals.ts'

/** A summary as it is stored: what was written, of which items, by which model and when. */
export interface StoredSummary extends GivenSummary {
  readonly itemIds: readonly string[]
  /** Tokens of the summary, and of its turns. */
  readonly tokens: number
  readonly sourceTokens: number
  /** Milliseconds since the epoch. */
  readonly writtenMs: number
}

/** Summaries of turns: any session of the tenant that has the same turns may show them. */
export const summariesTable = keyedTable<StoredSummary>()({
  name: 'summaries',
  stands: 'first',
  moves: moveFromOriginals('summaries', { word: 'summary', lane: 'summaries', value: 'text' }),
})

/** The key of a summary: its turns and its writer. */
export function summaryKey({ key, writer }: Pick<GivenSummary, 'key' | 'writer'>): string {
  return `${writer} ${key}`
}
