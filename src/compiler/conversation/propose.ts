import type { CachePrices, EpochPolicy, Item, Rendition } from '../../core/index.ts'
import type { FactReader } from './text-facts.ts'
import { prefixSums, requestCost } from './cache-price.ts'
import { shorten } from './shorten.ts'
import { addNames, visibleNames } from './visible-names.ts'

export interface ProposeOptions {
  readonly items: readonly Item[]
  readonly tokens: readonly number[]
  readonly steps: readonly number[]
  readonly renditions: readonly Rendition[]
  /** Indexes that may be shortened, in order. */
  readonly candidates: readonly number[]
  readonly policy: EpochPolicy
  readonly facts: FactReader
  handleOf(item: Item): string
  count(text: string): number
}

/** Shorter renditions of the candidates. Newer items choose first, so that a name stays where it was shown last. */
export function shorterRenditions(options: ProposeOptions): ReadonlyMap<number, Rendition> {
  const { items, tokens, steps, renditions, candidates, policy, facts, handleOf, count } = options
  const open = new Set(candidates)
  const visible = visibleNames({ items, renditions, facts, skip: (index) => open.has(index) })
  const found = new Map<number, Rendition>()
  const newest = steps.at(-1) ?? 0
  for (const index of candidates.toReversed()) {
    const item = items[index]
    const shown = renditions[index]
    if (item === undefined || shown === undefined) continue
    const step = steps[index] ?? 0
    const age = newest - step
    const fullTokens = tokens[index] ?? 0
    const shorter = shorten({ item, fullTokens, handle: handleOf(item), step, age, policy, visible, facts, count })
    const better = shorter !== undefined && shorter.tokens < shown.tokens ? shorter : undefined
    if (better !== undefined) found.set(index, better)
    addNames(visible, item, better ?? shown, facts)
  }
  return found
}

export interface Proposal {
  /** Everything from this index on is rendered again. */
  readonly from: number
  /** Tokens saved in every request to come. */
  readonly saving: number
  /** What rewriting costs now over holding on, in input-token prices; may be negative. */
  readonly rewriteCost: number
}

export interface StartOptions {
  readonly renditions: readonly Rendition[]
  readonly cachedTokens: number
  /** What can still be read when everything from an item on is written anew. */
  readableTokens(from: number): number
  readonly prices: CachePrices
  /** Token saving of each item that may be shortened. */
  savingOf(index: number): number
  readonly candidates: readonly number[]
}

/** What beginning an epoch at each candidate would bring, newest first. Exact but for references that move. */
export function proposals({
  renditions,
  cachedTokens,
  readableTokens,
  prices,
  savingOf,
  candidates,
}: StartOptions): readonly Proposal[] {
  const before = prefixSums(renditions)
  const total = before.at(-1) ?? 0
  const hold = requestCost(total, cachedTokens, prices)
  const found: Proposal[] = []
  let saving = 0
  for (const from of candidates.toReversed()) {
    saving += savingOf(from)
    if (saving <= 0) continue
    const kept = Math.min(readableTokens(from), cachedTokens)
    found.push({ from, saving, rewriteCost: requestCost(total - saving, kept, prices) - hold })
  }
  return found
}
