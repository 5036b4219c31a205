import { seededRandom } from '../../core/index.ts'
import type { Trial } from './trial.ts'

export type TrialKey = Pick<Trial, 'task' | 'policy' | 'repeat'>

export interface TrialPlan {
  readonly tasks: readonly string[]
  readonly policies: readonly string[]
  readonly repeats: number
  readonly seed: number
}

/**
 * All runs in blocks of one task and repeat, so that whatever changes in time hits all policies alike. The order of the blocks and the order
 * inside each are drawn; all blocks of one repeat come before those of the next.
 */
export function trialOrder({ tasks, policies, repeats, seed }: TrialPlan): readonly TrialKey[] {
  const random = seededRandom(seed)
  return Array.from({ length: repeats }, (_, at) => at + 1).flatMap((repeat) =>
    shuffled(tasks, random).flatMap((task) => shuffled(policies, random).map((policy) => ({ task, policy, repeat }))),
  )
}

export function trialKey({ task, policy, repeat }: TrialKey): string {
  return JSON.stringify([task, policy, repeat])
}

/** Fisher and Yates (1938). */
function shuffled<Value>(values: readonly Value[], random: () => number): readonly Value[] {
  const left = [...values]
  const drawn: Value[] = []
  while (left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1))
  return drawn
}
