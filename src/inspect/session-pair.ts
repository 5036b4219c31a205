import type { SessionFigures } from './replay-trace.ts'

/** A session sent by one strategy, beside the same session sent in full. */
export interface SessionPair {
  readonly figures: SessionFigures
  readonly baseline: SessionFigures
}

export function sum(pairs: readonly SessionPair[], of: (pair: SessionPair) => number): number {
  return pairs.reduce((total, pair) => total + of(pair), 0)
}

export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

export function mean(values: readonly number[]): number | null {
  return ratio(
    values.reduce((all, value) => all + value, 0),
    values.length,
  )
}

/** Of values in rising order. */
export function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null
}

export function smallest(values: readonly number[]): number | null {
  return values.reduce<number | null>((found, value) => Math.min(found ?? value, value), null)
}

export function largest(values: readonly number[]): number | null {
  return values.reduce<number | null>((found, value) => Math.max(found ?? value, value), null)
}
