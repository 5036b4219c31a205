import { compareCodeUnits } from '../../core/index.ts'
import type { ChosenTool } from './select-tools.ts'

export interface LikelyTools {
  /** Tokens of the definition of every tool that may be offered, by id. */
  readonly tokens: ReadonlyMap<string, number>
  /** How many requests have called each tool, by id. */
  readonly calls: ReadonlyMap<string, number>
  /** What a search has found for the query. */
  readonly found: readonly ChosenTool[]
}

/** What the best tool of a search counts beside the one that is called most. */
const searchShare = 0.6

/**
 * All tools of a catalogue, those first that are worth most for what they take: by how often they are called and how well they fit the query, over the
 * square root of their tokens. For catalogues that nearly fit, where `selectTools` is to leave out the least useful definitions; it takes these
 * scores with `leastFit: 0`.
 */
export function likelyTools({ tokens, calls, found }: LikelyTools): readonly ChosenTool[] {
  const mostCalls = Math.max(1, ...calls.values())
  const best = found.reduce((most, { score }) => Math.max(most, score), 0) || 1
  const fits = new Map(found.map(({ id, score }) => [id, score / best]))
  return Array.from(tokens, ([id, own]): ChosenTool => {
    const value = (calls.get(id) ?? 0) / mostCalls + searchShare * (fits.get(id) ?? 0)
    return { id, score: value / Math.sqrt(Math.max(1, own)) }
  }).toSorted((one, other) => other.score - one.score || compareCodeUnits(one.id, other.id))
}
