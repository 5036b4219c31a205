/** Numbers from 0 to 1, the same on any machine for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

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
  const random = randomOf(seed)
  const upTo = (limit: number): number => Math.floor(random() * limit)
  return {
    random,
    upTo,
    pick: <Value>(choices: readonly Value[]): Value => choices[upTo(choices.length)] as Value,
    chance: (share) => random() < share,
  }
}
