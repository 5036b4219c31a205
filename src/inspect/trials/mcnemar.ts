import { binomialShares } from './binomial.ts'

/** Pairs in which exactly one of both solved the task. */
export interface Discordant {
  readonly onlyBaseline: number
  readonly onlyPolicy: number
}

/** The exact two-sided p-value of McNemar's test (1947): how often two equal policies would differ so much. 1 where no pair differs. */
export function mcnemar({ onlyBaseline, onlyPolicy }: Discordant): number {
  const pairs = onlyBaseline + onlyPolicy
  const shares = binomialShares(pairs, 0.5)
  const fewer = Math.min(onlyBaseline, onlyPolicy)
  let tail = 0
  for (const share of shares.slice(0, fewer + 1)) tail += share
  return Math.min(1, 2 * tail)
}

/** Adjusts p-values for the number of comparisons (Holm 1979), in the given order. */
export function holm(values: readonly number[]): readonly number[] {
  const order = values.map((value, at) => ({ value, at })).toSorted((a, b) => a.value - b.value)
  const adjusted: number[] = values.map(() => 1)
  let least = 0
  for (const [rank, { value, at }] of order.entries()) {
    least = Math.max(least, Math.min(1, value * (values.length - rank)))
    adjusted[at] = least
  }
  return adjusted
}
