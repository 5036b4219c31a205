/** Of `1 - alpha * removed ** beta`: how much of what was asked for is left where a share of a text is taken away. */
export interface ProseCurve {
  readonly alpha: number
  readonly beta: number
}

/**
 * Fitted to answers of 1,315 questions in the passages that hold them (NQ-open): whether an answer still stands, by the share of the passage that
 * is taken away. Words go down to about four fifths; sentences and words together bend at seven tenths.
 */
export const proseCurves = {
  words: { alpha: 2.1, beta: 2.24 },
  sentences: { alpha: 0.77, beta: 1.9 },
} as const satisfies Readonly<Record<string, ProseCurve>>

/** What a curve says of a removed share, in [0, 1]. */
export function fidelityAt({ alpha, beta }: ProseCurve, removed: number): number {
  return Math.min(1, Math.max(0, 1 - alpha * Math.max(0, removed) ** beta))
}

/** The largest share that may be removed where so much must be left. */
export function mostRemoved({ alpha, beta }: ProseCurve, minFidelity: number): number {
  return Math.min(1, ((1 - minFidelity) / alpha) ** (1 / beta))
}
