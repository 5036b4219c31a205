import type { Moment } from './measures/moments.ts'
import { ratio, sum } from './session-pair.ts'
import type { SessionPair } from './session-pair.ts'

/**
 * What is saved by forms of each moment, less what writing anew costs at that moment; as shares of the cost of sending everything. With
 * `added`, the four sum up to 1 less the cost.
 */
export interface SavingsByMoment extends Readonly<Record<Moment, number | null>> {
  /** What requests pay besides: definitions of tools, summaries, own calls of the strategy. Less than nothing as a rule. */
  readonly added: number | null
}

export function savingsByMoment(pairs: readonly SessionPair[]): SavingsByMoment {
  const sums = { birth: 0, cold: 0, warm: 0, added: 0 }
  for (const { figures, baseline } of pairs)
    for (const [index, { cost, savings }] of figures.steps.entries()) {
      const { saved, changed } = savings
      const whole = (baseline.steps[index]?.cost ?? 0) - cost
      for (const moment of ['birth', 'cold', 'warm'] as const) sums[moment] += saved[moment]
      sums[changed ?? 'added'] += whole - saved.birth - saved.cold - saved.warm
    }
  const inFull = sum(pairs, ({ baseline }) => baseline.cost)
  return {
    birth: ratio(sums.birth, inFull),
    cold: ratio(sums.cold, inFull),
    warm: ratio(sums.warm, inFull),
    added: ratio(sums.added, inFull),
  }
}
