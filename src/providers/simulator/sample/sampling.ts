import type { JsonValue } from '../../../core/index.ts'

/** Where in a value a schema applies. */
export interface Place {
  /** References that lead here. One that leads here again cannot be part of the smallest value. */
  readonly references: ReadonlySet<string>
  readonly depth: number
  /** Which of several different values is asked for, from 0; only lists without repetition ask for more than the first. */
  readonly nth: number
}

/** One search for the smallest value of a schema. */
export interface Sampling {
  readonly root: JsonValue
  /** Schemas that are still looked at; grows smaller. */
  stepsLeft: number
  /** Undefined where no value is found. */
  sample(schema: JsonValue | undefined, place: Place): JsonValue | undefined
}

/** The place of a member or an element. */
export function within(place: Place, nth = place.nth): Place {
  return { ...place, depth: place.depth + 1, nth }
}
