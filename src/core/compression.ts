import type { Guideline } from './guideline.ts'

/**
 * How prose is shortened where a request is long: words that a reader misses least are left out, then whole sentences. Evidence and memory are,
 * and messages where they are asked for; results of tools, code, JSON, tables and what is pinned or frozen never.
 */
export interface CompressionPolicy {
  /** True by default, where a policy says anything of compression. */
  readonly enabled?: boolean
  /** Share of a passage's tokens that is aimed at, in (0, 1]; 0.5 by default. */
  readonly keepRatio?: number
  /** Share of what a passage says that must be left, in [0, 1], by what was measured; it goes before the ratio. 0.9 by default. */
  readonly minFidelity?: number
  /** Tokens of all items above which everything is shortened; 32,000 by default. At less, only what does not fit is. */
  readonly above?: number
  /** Whether what users and models have said may be shortened, too; it may not by default. */
  readonly dialogue?: boolean
  /** Newest messages that stay byte for byte; 4 by default. */
  readonly preserveRecent?: number
  /**
   * Tokens above which items of a category are summarised however long the request is, by the name of the category; 200 of an `episode` and 150 of an
   * `insight` by default.
   */
  readonly summariseAbove?: Readonly<Record<string, number>>
  /** What was learnt about it; each holds for one category, kind of task and regime. */
  readonly guidelines?: readonly Guideline[]
}

/** A policy's compression with all its figures. */
export type CompressionFigures = Required<CompressionPolicy>

const usual: CompressionFigures = {
  enabled: true,
  keepRatio: 0.5,
  minFidelity: 0.9,
  above: 32_000,
  dialogue: false,
  preserveRecent: 4,
  summariseAbove: { episode: 200, insight: 150 },
  guidelines: [],
}

/** The figures of a policy's compression; undefined where it is off. */
export function compressionFigures(policy: CompressionPolicy | undefined): CompressionFigures | undefined {
  const summariseAbove = { ...usual.summariseAbove, ...policy?.summariseAbove }
  const figures = policy === undefined ? undefined : { ...usual, ...policy, summariseAbove }
  return figures?.enabled === true ? figures : undefined
}

/** What a ladder is told of compression. */
export interface ProseWish {
  readonly keepRatio: number
  readonly minFidelity: number
  /** Whether words may be left out without a handle, since the policy says so where none can be followed. */
  readonly unhandled: boolean
  /** Those that hold for the item. */
  readonly guidelines?: readonly Guideline[]
}

/** What compression did to a pack. */
export interface CompressionRecord {
  /** Whether all items together were above the policy's figure, so that everything was shortened; else only what did not fit. */
  readonly everything: boolean
  readonly items: number
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** 1 - after / before. */
  readonly removedRatio: number
  /** Mean of what the forms say of themselves, by tokens. */
  readonly fidelity: number
  /** Ids of the guidelines that held for any of them; absent where none did. */
  readonly guidelines?: readonly string[]
}
