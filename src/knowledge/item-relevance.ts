import { itemShape, shape } from '../core/index.ts'
import type { Item } from '../core/index.ts'
import type { Passage } from './passage.ts'
import type { PassageRanker } from './passage-ranker.ts'
import { passageRanker } from './passage-ranker.ts'

/** Scores of items for a request, in their order; see `passageRanker`. */
export function relevanceRanker(items: readonly Item[]): PassageRanker {
  return passageRanker(items.map(passageOf))
}

const itemsShape = shape.list(itemShape)

/**
 * The same items, those without a relevance of their own with one for the request: 1 for the best of them, 0 for what has nothing to do with
 * it. Pieces of evidence of one source, and items of any other section, are neighbours in the order given: what stands around a hit counts.
 * What stands before a colon is the speaker. Pure, and without a model; English is stemmed, any other language is found by its words as they are.
 *
 * ```ts
 * const { pack } = compile({ items: withRelevance(items, request), budget: { windowTokens: 8_000 }, frame: { request } })
 * ```
 */
export function withRelevance(items: readonly Item[], request: string): readonly Item[] {
  shape.check(itemsShape, items, 'items')
  shape.check(shape.text, request, 'request')
  const scores = relevanceRanker(items)(request)
  return items.map((item, at) =>
    relevanceOf(item) === undefined ? { ...item, scores: { ...item.scores, relevance: scores[at] ?? 0 } } : item,
  )
}

/** What is known of an item's relevance without asking. */
export function relevanceOf({ scores, provenance }: Item): number | undefined {
  return scores?.relevance ?? provenance?.relevanceScore
}

function passageOf({ text, section, provenance }: Item): Passage {
  const [start = '', speaker] = /^([^\s:][^\n:]{0,39}): /.exec(text) ?? []
  const thread = section === 'evidence' ? provenance?.sourceId : section
  return { text: text.slice(start.length), speaker, about: provenance?.title, thread }
}
