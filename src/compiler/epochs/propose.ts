import type { CachePrices, EpochPolicy, Rendition, Rung } from '../../core/index.ts'
import { rungs } from '../../core/index.ts'
import { prefixSums, requestCost } from './cache-price.ts'
import { isOfCoding } from './coding-kinds.ts'
import { smallResult } from './eligible.ts'
import { knownElsewhere } from './known-elsewhere.ts'
import { rewritten } from './rewritten.ts'
import type { RenderOptions } from './render-from.ts'

export interface ProposeOptions extends RenderOptions {
  readonly renditions: readonly Rendition[]
  /** Indexes that may be shortened, in order. */
  readonly members: readonly number[]
  readonly policy: EpochPolicy
  /** Those of which nothing is worth keeping. */
  readonly outdated?: ReadonlyMap<number, unknown>
}

/** No line is worth so much: what is over goes whole, but for how it ended. */
export const overWorth = 1e9

/** Shorter renditions of what may be shortened. Newer items choose first, so that a name stays where it was shown last. */
export function shorterRenditions(options: ProposeOptions): ReadonlyMap<number, Rendition> {
  const { items, tokens, renditions, members, policy, rungsOf, facts, outdated } = options
  const { dataLineWorth } = policy
  const known = knownElsewhere(options)
  const found = new Map<number, Rendition>()
  for (const index of members.toReversed()) {
    const shown = renditions[index]
    if (items[index] === undefined || shown === undefined) continue
    const isOver = outdated?.has(index) === true
    const lowestRung = isOver ? 'line' : policy.lowestRung
    const isResult = items[index]?.kind === 'tool-result'
    const isSmall = !isOver && isResult && (tokens[index] ?? 0) < smallResult
    const isData = isResult && dataLineWorth !== undefined && !isOfCoding(facts, items[index])
    const least = Math.min(policy.lineWorth, isSmall ? smallWorth : Infinity, isData ? dataLineWorth : Infinity)
    const offered = rungsOf(index, { ...known.of(index), lowestRung, lineWorth: isOver ? overWorth : least })
    const fitting = allowed(offered, { fullTokens: tokens[index] ?? 0, lowestRung })
    const shorter = (isSmall ? fitting.filter(({ expendable }) => expendable === true) : fitting).at(-1)
    const better = shorter !== undefined && shorter.tokens < shown.tokens ? shorter : undefined
    if (better !== undefined) found.set(index, better)
    known.add(index, better ?? shown)
  }
  return found
}

/** A small result goes where no line in it is worth so much per token, however little a policy keeps of others. */
const smallWorth = 0.001

interface Allowance {
  readonly fullTokens: number
  readonly lowestRung: Rung
}

/** The renditions that the policy allows and that save enough to be worth a change. */
export function allowed(offered: readonly Rendition[], { fullTokens, lowestRung }: Allowance): readonly Rendition[] {
  const lowest = rungs.indexOf(lowestRung)
  return offered.filter(
    ({ rung, tokens, expendable }) =>
      tokens <= fullTokens * (1 - leastSaving) &&
      rung !== 'omitted' &&
      (rungs.indexOf(rung) <= lowest || expendable === true),
  )
}

/** A rendition must save at least this share to be worth a change. */
const leastSaving = 0.1

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
  /** What a request costs; exactly by default. */
  readonly costOf?: typeof requestCost
  readonly members: readonly number[]
  /** Where an epoch brings in a tool of so many tokens, before everything else; and what stands there besides the items. */
  readonly offered?: { readonly tokens: number; readonly overheadTokens: number } | undefined
}

/** What beginning an epoch at each candidate would bring, newest first. Exact but for references that move. */
export function proposals({
  renditions,
  cachedTokens,
  readableTokens,
  prices,
  savingOf,
  costOf = requestCost,
  members,
  offered,
}: StartOptions): readonly Proposal[] {
  const before = prefixSums(renditions)
  const overheadTokens = offered?.overheadTokens ?? 0
  const offerTokens = offered?.tokens
  const itemTokens = before.at(-1) ?? 0
  const hold = requestCost(itemTokens + overheadTokens, cachedTokens === 0 ? 0 : cachedTokens + overheadTokens, prices)
  const found: Proposal[] = []
  let gone = 0
  for (const from of members.toReversed()) {
    gone += savingOf(from)
    const saving = gone - (offerTokens ?? 0)
    if (saving <= 0) continue
    const readTokens = Math.min(readableTokens(from), cachedTokens)
    const { total, read } = rewritten({ itemTokens: itemTokens - gone, readTokens, overheadTokens, offerTokens })
    found.push({ from, saving, rewriteCost: costOf(total, read, prices) - hold })
  }
  return found
}
