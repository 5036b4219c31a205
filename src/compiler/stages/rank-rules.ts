import type {
  Item,
  LearnedRank,
  RankPolicy,
  RankPreset,
  RankTies,
  RankWeights,
  Section,
  SectionRank,
} from '../../core/index.ts'
import { attentionComponents, compareCodeUnits, isFixed, perObject, stableJson } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'

/** Gives an item a score in [0, 1]; undefined leaves it to the built-in one. */
export type Scorer = (item: Item) => number | undefined

interface Preset extends RankWeights {
  readonly ties: RankTies
}

/** Weights by name, for sections of a policy's `rank`. */
export const rankPresets: Readonly<Record<RankPreset, Preset>> = Object.freeze({
  retrieval: Object.freeze({
    relevance: 0.5,
    authority: 0,
    freshness: 0.3,
    utility: 0,
    confidence: 0.2,
    thrift: 0,
    ties: 'id',
  } as const),
})

/** How a policy ranks. */
export interface RankRules {
  /** The same for rules that give the same scores in the same order. */
  readonly key: string
  /** Sections of which equals stand by their ids; absent where there are none. */
  readonly isById?: (section: Section) => boolean
  /** In [0, 1]; what the caller's own scorer says goes before. */
  scoreOf(item: Item, tokens: number, scorer: Scorer | undefined): number
}

/** Of ranks that nobody can change; many compiles share one. */
const fixedRules = perObject((rank: RankPolicy) => readRules(rank))

/** What a policy's `rank` says, section by section. */
export function rankRules(rank: RankPolicy): RankRules {
  return isFixed(rank) ? fixedRules(rank) : readRules(rank)
}

function readRules(rank: RankPolicy): RankRules {
  const { sections = {}, learned, scorer = 'composite', multipliers, ties } = rank
  const own = new Map(
    Object.entries<SectionRank>(sections).map(([section, changes]) => [section, ofSection(rank, changes)]),
  )
  // Who asks what a request is about does not prefer what is short.
  const weightsOf = (weights: RankWeights): RankWeights => (scorer === 'request' ? { ...weights, thrift: 0 } : weights)
  const anyById = ties === 'id' || Array.from(own.values()).some((one) => one.ties === 'id')
  const built = (item: Item, tokens: number): number => {
    const attention = scorer === 'attention' ? attentionScore(item, multipliers) : undefined
    return attention ?? compositeScore(item, tokens, weightsOf(own.get(item.section) ?? rank))
  }
  return {
    key: stableJson(rank),
    ...(anyById && { isById: (section) => (own.get(section) ?? rank).ties === 'id' }),
    scoreOf(item, tokens, given) {
      const score = given?.(item) ?? built(item, tokens)
      return learned === undefined ? score : score * (learnedWeight(item, learned) ?? 1)
    },
  }
}

function ofSection(rank: RankPolicy, { preset, ...figures }: SectionRank): RankWeights & Pick<RankPolicy, 'ties'> {
  return { ...rank, ...(preset && rankPresets[preset]), ...figures }
}

/** The place of each candidate among equals; undefined where it is that of its arrival. */
export function tieOrder({ isById }: RankRules, candidates: readonly Candidate[]): Uint32Array | undefined {
  if (isById === undefined) return undefined
  const order = Uint32Array.from(candidates.keys())
  const ids = candidates.flatMap(({ item }, index) => (isById(item.section) ? [{ id: item.id, index }] : []))
  const sorted = ids.toSorted((a, b) => compareCodeUnits(a.id, b.id))
  for (const [at, { index }] of sorted.entries()) order[index] = ids[at]?.index ?? index
  return order
}

/** What experience says an item's category is worth; undefined where it says nothing. */
export function learnedWeight({ category, section }: Item, { weights }: LearnedRank): number | undefined {
  const name = category ?? section
  return Object.hasOwn(weights, name) ? weights[name] : undefined
}

/**
 * How much attention an item deserves: pragmatic and epistemic value, feeling and urgency, each with what has been learnt of
 * it, as a share of the most that there could be. Undefined where none of them is known; one that is not known adds nothing.
 */
export function attentionScore({ scores }: Item, multipliers: RankPolicy['multipliers'] = {}): number | undefined {
  let sum = 0
  let most = 0
  let isKnown = false
  for (const component of attentionComponents) {
    const value = scores?.[component]
    const multiplier = multipliers[component] ?? 1
    most += multiplier
    if (value === undefined) continue
    isKnown = true
    sum += multiplier * value
  }
  return isKnown ? sum / most : undefined
}

/** Tokens at which the reward for being small has halved. */
const thriftScale = 256

/**
 * Weighted mean of what is known about an item. A score that is not known has no say: absence is not a
 * zero. An item about which nothing is known ranks in the middle.
 */
export function compositeScore(item: Item, tokens: number, weights: RankWeights): number {
  const { scores, provenance } = item
  let sum = 0
  let weight = 0
  const relevance = scores?.relevance ?? provenance?.relevanceScore
  if (relevance !== undefined) {
    sum += weights.relevance * relevance
    weight += weights.relevance
  }
  const authority = scores?.authority ?? provenance?.authorityScore
  if (authority !== undefined) {
    sum += weights.authority * authority
    weight += weights.authority
  }
  if (scores?.freshness !== undefined) {
    sum += weights.freshness * scores.freshness
    weight += weights.freshness
  }
  if (scores?.utility !== undefined) {
    sum += weights.utility * scores.utility
    weight += weights.utility
  }
  if (scores?.confidence !== undefined && weights.confidence !== undefined) {
    sum += weights.confidence * scores.confidence
    weight += weights.confidence
  }
  if (weight === 0) {
    sum = 0.5
    weight = 1
  }
  sum += (weights.thrift * thriftScale) / (thriftScale + tokens)
  return sum / (weight + weights.thrift)
}
