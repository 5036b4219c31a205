import type { Item } from './item.ts'
import * as shape from './shape.ts'

const { amount, count, flag, object, oneOf, optional, positive, record, share } = shape

export const decayModels = ['exponential', 'reactivation', 'sigmoid'] as const
/** How relevance falls with the turns since an item appeared. */
export type DecayModel = (typeof decayModels)[number]

/** A model with its figures; one that is absent has its usual value. */
export interface Decay {
  readonly model: DecayModel
  /** `exponential`: what is left after `t` turns is `e^(-rate t)`; 0.3 by default. */
  readonly rate?: number
  /** `reactivation`: what was referred to within so many turns is as relevant as ever; 3 by default. */
  readonly within?: number
  /** `reactivation`: what is left of all else, in [0, 1]; 0.2 by default. */
  readonly otherwise?: number
  /** `sigmoid`: turns after which half is left; 5 by default. */
  readonly halfLife?: number
  /** `sigmoid`: how suddenly; 1 by default. */
  readonly steepness?: number
}

export const stalenessSignals = ['age', 'unused', 'superseded', 'phase-change', 'voided'] as const
/** Why an item has had its time. */
export type StalenessSignal = (typeof stalenessSignals)[number]

export const releaseTimes = ['epoch', 'at-once', 'never'] as const
/** When what a model has asked back goes again: with the next epoch, right after the step at the price of the cache behind it, or never. */
export type ReleaseTime = (typeof releaseTimes)[number]

/** Up to which shares of a budget items of a payload stand whole, and in one line each. */
export interface Disclosure {
  /** 0.7 by default. */
  readonly full?: number
  /** 0.95 by default. */
  readonly line?: number
}

/** How many episodes stand whole, and how many older ones in one row each; the rest is left out. */
export interface EpisodeWindow {
  readonly full: number
  readonly rows: number
}

/** The same, and what holds where the rest of a pack takes more than a share of its window. */
export interface EpisodeMask extends EpisodeWindow {
  readonly pressure?: EpisodeWindow & { readonly above: number }
}

/** Whether an item tells of one episode: memory with category `episode`, or `episode/…` with its type. */
export function isEpisode(item: Item | undefined): boolean {
  return item?.section === 'memory' && (item.category === 'episode' || item.category?.startsWith('episode/') === true)
}

/** What becomes of what has had its time. Nothing grows old where a policy does not say so. */
export interface HygienePolicy {
  /** By an item's category, else its kind, else `usual`; relevance stays where none is found. The word `usual` names those that come with the product. */
  readonly decay?: 'usual' | Readonly<Record<string, Decay>>
  /** An item is stale after so many turns. */
  readonly staleAfter?: number
  /** An item is stale that nothing has referred to for so many turns. */
  readonly unusedFor?: number
  /** Whether an item is stale once the same thing was read, written or run again. */
  readonly superseded?: boolean
  /** Whether an item of an earlier phase of the task is stale. */
  readonly phaseChange?: boolean
  /** Whether an item is stale once an error has shown that it does not hold. */
  readonly voided?: boolean
  /** What is left of the relevance of a stale item, in [0, 1]; 0.25 by default. */
  readonly staleWorth?: number
  /** `epoch` by default. */
  readonly release?: ReleaseTime
  /** Of the step of relief `disclose`. */
  readonly disclosure?: Disclosure
  /** Of the step of relief `mask-episodes`: three whole and seven in a row each by default, two and five above 0.8. */
  readonly episodes?: EpisodeMask
}

const decayShape = object<Decay>({
  model: oneOf(decayModels),
  rate: optional(amount),
  within: optional(count),
  otherwise: optional(share),
  halfLife: optional(amount),
  steepness: optional(positive),
})

const windowMembers = { full: count, rows: count }

export const hygieneShape = object<HygienePolicy>({
  decay: optional(
    shape.textOr(oneOf(['usual']), record(decayShape)) as shape.Shape<NonNullable<HygienePolicy['decay']>>,
  ),
  staleAfter: optional(count),
  unusedFor: optional(count),
  superseded: optional(flag),
  phaseChange: optional(flag),
  voided: optional(flag),
  staleWorth: optional(share),
  release: optional(oneOf(releaseTimes)),
  disclosure: optional(object<Disclosure>({ full: optional(share), line: optional(share) })),
  episodes: optional(
    object<EpisodeMask>({
      ...windowMembers,
      pressure: optional(object<NonNullable<EpisodeMask['pressure']>>({ ...windowMembers, above: share })),
    }),
  ),
})
