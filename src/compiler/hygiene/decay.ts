import type { Decay, DecayModel, HygienePolicy, Item } from '../../core/index.ts'

/** What is known of an item's age, in turns. */
export interface Age {
  /** Since it appeared. */
  readonly turns: number
  /** Since something referred to it, its appearance included. */
  readonly unused: number
}

/** What is left of an item's relevance, in [0, 1]: all of it when it appears, and never more later. */
export function decayed(decay: Decay, age: Age): number {
  return models[decay.model](decay, age)
}

const models: Readonly<Record<DecayModel, (decay: Decay, age: Age) => number>> = {
  exponential: ({ rate = 0.3 }, { turns }) => Math.exp(-rate * turns),
  reactivation: ({ within = 3, otherwise = 0.2 }, { unused }) => (unused <= within ? 1 : otherwise),
  sigmoid: ({ halfLife = 5, steepness = 1 }, { turns }) => sigmoid(turns, halfLife, steepness),
}

/**
 * The falling logistic curve that is 1 at first and one half after the half-life; of the usual one what is new would have less than all.
 * With `k` steep, `1 / (1 + (e^(k t) - 1) / (e^(k h) - 1))`, written so that nothing overflows.
 */
function sigmoid(turns: number, halfLife: number, steepness: number): number {
  if (turns <= 0) return 1
  if (halfLife === 0) return 0
  const grown = Math.exp(steepness * (turns - halfLife))
  return 1 / (1 + (grown * -Math.expm1(-steepness * turns)) / -Math.expm1(-steepness * halfLife))
}

/** Results of tools halve in 2.3 turns, what a user has corrected in 13.9. */
export const usualDecays: Readonly<Record<string, Decay>> = {
  'tool-result': { model: 'exponential', rate: 0.3 },
  'correction': { model: 'exponential', rate: 0.05 },
}

/** How an item grows old: by its category, as a correction of the user's, by its kind, or as everything does. */
export function decayOf(item: Item, { decay }: HygienePolicy): Decay | undefined {
  if (decay === undefined) return undefined
  const known = decay === 'usual' ? usualDecays : decay
  const names = [item.category, isCorrection(item) ? 'correction' : undefined, item.kind, 'usual']
  const name = names.find((one) => one !== undefined && Object.hasOwn(known, one))
  return name === undefined ? undefined : known[name]
}

/** In the words with which people begin who say that something was wrong. */
const corrects =
  /^\s{0,20}(?:no\b|wrong\b|actually\b|instead\b|not (?:that|this|like)\b|don't\b|do not\b|stop\b|that's not\b|that is not\b|i (?:meant|said)\b)/i

function isCorrection({ role, kind, text }: Item): boolean {
  return role === 'user' && kind === 'text' && corrects.test(text.slice(0, 100))
}
