import type { Item, Section } from '../../core/index.ts'
import { isKnownSection } from '../../core/index.ts'
import { relevanceRanker, relevanceOf } from '../../knowledge/index.ts'
import type { Candidate } from '../items/candidate.ts'

/** What candidates have to do with a request, where scorer `request` asks for it. */
export interface RequestRelevance {
  /** The item as it is to be scored. */
  itemAt(index: number): Item | undefined
  /** Lowers the scores of what is short, once tokens are known. */
  weigh(ranked: { readonly scores: Float64Array; readonly fullTokens: Float64Array }): void
}

/**
 * Relevance to a request for evidence, memory and sections of one's own: of items that have none by the words that they share with it. A solver that buys
 * worth by the token would have of two passages that are worth the same always the shorter one, until nothing but short ones are left: scores
 * grow with the length of an item, though less than in proportion, since a pack of a few long passages misses more of them.
 */
export function requestRelevance(candidates: readonly Candidate[], request: string): RequestRelevance {
  const asked = Array.from(candidates.keys()).filter((index) => isSought(candidates[index]?.item.section))
  const items = asked.map((index) => candidates[index]?.item).filter((item) => item !== undefined)
  const scores = items.every((item) => relevanceOf(item) !== undefined) ? undefined : relevanceRanker(items)(request)
  const found = new Map(asked.map((index, at) => [index, scored(items[at], scores?.[at])]))
  return {
    itemAt: (index) => found.get(index),
    weigh({ scores: worth, fullTokens }) {
      const longest = asked.reduce((most, index) => Math.max(most, fullTokens[index] ?? 0), 1)
      for (const index of asked) worth[index] = (worth[index] ?? 0) * worthOfLength((fullTokens[index] ?? 0) / longest)
    },
  }
}

/** The power of three quarters, of roots, which every machine takes alike. */
function worthOfLength(share: number): number {
  const root = Math.sqrt(share)
  return root * Math.sqrt(root)
}

function isSought(section: Section | undefined): boolean {
  return section === 'evidence' || section === 'memory' || (section !== undefined && !isKnownSection(section))
}

function scored(item: Item | undefined, relevance: number | undefined): Item | undefined {
  if (item === undefined || relevance === undefined || relevanceOf(item) !== undefined) return item
  return { ...item, scores: { ...item.scores, relevance } }
}
