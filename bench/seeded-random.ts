import { seededRandom } from '../src/core/index.ts'

/** What a generator of inputs decides by. */
export interface Chances {
  /** From 0 to 1. */
  random(this: void): number
  /** A whole number below the limit. */
  upTo(this: void, limit: number): number
  pick<Value>(this: void, choices: readonly Value[]): Value
  /** Whether it happens, which it does in this share of the cases. */
  chance(this: void, share: number): boolean
}

export function chancesOf(seed: number): Chances {
  const random = seededRandom(seed)
  const upTo = (limit: number): number => Math.floor(random() * limit)
  return {
    random,
    upTo,
    pick: <Value>(choices: readonly Value[]): Value => choices[upTo(choices.length)] as Value,
    chance: (share) => random() < share,
  }
}
