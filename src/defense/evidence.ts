import type { InjectionReason } from '../core/index.ts'

/** Something in a text that speaks for an order. */
export interface Evidence {
  readonly reason: InjectionReason
  /** In (0, 1). */
  readonly weight: number
  /** Offset in the text. */
  readonly at: number
}

/** A part of a text, by offsets. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Whether an offset lies in one of the spans, which stand in order. */
export function isWithin(spans: readonly Span[], at: number): boolean {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.end ?? 0) < at) low = middle + 1
    else high = middle
  }
  return (spans[low]?.start ?? Infinity) <= at
}
