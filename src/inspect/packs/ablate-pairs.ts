import type { CompileInput } from '../../core/index.ts'
import { sectionsOf, worthWithout } from './worth-without.ts'
import type { WorthOptions } from './worth-without.ts'

/** How two sections work together. */
export const interactions = ['redundant', 'complementary', 'independent'] as const
/** The names of the ways in which two sections work together. */
export type Interaction = (typeof interactions)[number]

/** What a pack loses without two sections, together and apart. */
export interface PairAblation {
  readonly sections: readonly [string, string]
  /** What is lost without both. */
  readonly together: number
  /** What is lost without the one and without the other, added up. */
  readonly apart: number
  readonly interaction: Interaction
}

/** Differences below this are none. */
const tolerance = 1e-9

/**
 * Leaves out every two sections together and one by one. Where both lose more than each by itself, either would have done: they are redundant; where they lose
 * less, neither is worth anything without the other: they are complementary.
 *
 * ```ts
 * ablatePairs(input, { compile, worth: ({ pack }) => Number(JSON.stringify(pack?.messages).includes('seven')) })
 * ```
 */
export function ablatePairs<Input extends Pick<CompileInput, 'items'>>(
  input: Input,
  options: WorthOptions<Input>,
): readonly PairAblation[] {
  const sections = sectionsOf(input)
  const whole = worthWithout(input, [], options)
  const lost = new Map(sections.map((section) => [section, whole - worthWithout(input, [section], options)]))
  return sections.flatMap((one, at) =>
    sections.slice(at + 1).map((other): PairAblation => {
      const together = whole - worthWithout(input, [one, other], options)
      const apart = (lost.get(one) ?? 0) + (lost.get(other) ?? 0)
      return { sections: [one, other], together, apart, interaction: interactionOf(together - apart) }
    }),
  )
}

function interactionOf(difference: number): Interaction {
  if (Math.abs(difference) <= tolerance) return 'independent'
  return difference > 0 ? 'redundant' : 'complementary'
}
