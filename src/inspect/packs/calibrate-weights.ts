import type { CompileInput, Policy } from '../../core/index.ts'
import { sectionsOf, worthWithout } from './worth-without.ts'
import type { WorthOptions } from './worth-without.ts'

/** What a section was worth to tasks whose answers are known. */
export interface CalibratedSection {
  readonly section: string
  /** Tasks that have any of it. */
  readonly tasks: number
  /** Mean of what they lose without it. */
  readonly worth: number
  /** For `weight` of a section of a policy: 1 for what is worth most, never less than the floor. */
  readonly weight: number
}

/** Options of `calibrateWeights`. */
export interface CalibrationOptions<Input> extends Pick<WorthOptions<Input>, 'compile'> {
  /** What packs of a task are worth: its answer is known. */
  readonly worthOf: (task: Input) => WorthOptions<Input>['worth']
  /** The least weight, so that what was worth nothing here is not shut out for good; 0.05 by default. */
  readonly floor?: number
}

/**
 * Compiles tasks whose answers are known without each of their sections, and makes of what is lost weights for a policy; what is worth most stands
 * first, equals by name. The same tasks give the same weights.
 */
export function calibrateWeights<Input extends Pick<CompileInput, 'items'>>(
  tasks: readonly Input[],
  options: CalibrationOptions<Input>,
): readonly CalibratedSection[] {
  const lost = new Map<string, number[]>()
  for (const task of tasks) {
    const own = { compile: options.compile, worth: options.worthOf(task) }
    const whole = worthWithout(task, [], own)
    for (const section of sectionsOf(task))
      lost.set(section, [...(lost.get(section) ?? []), whole - worthWithout(task, [section], own)])
  }
  const means = Array.from(lost, ([section, losses]) => ({
    section,
    tasks: losses.length,
    worth: losses.reduce((sum, loss) => sum + loss, 0) / losses.length,
  }))
  const most = Math.max(0, ...means.map(({ worth }) => worth))
  const floor = options.floor ?? usualFloor
  return means
    .map((one) => ({ ...one, weight: most === 0 ? 1 : Math.max(floor, one.worth / most) }))
    .toSorted((a, b) => b.worth - a.worth || (a.section < b.section ? -1 : 1))
}

const usualFloor = 0.05

/** A policy whose sections are weighed as tasks have shown; sections that no task had keep their weight. */
export function withWeights(policy: Policy, calibrated: readonly CalibratedSection[]): Policy {
  const weights = new Map(calibrated.map(({ section, weight }) => [section, weight]))
  const shares = policy.shares.map((share) => ({ ...share, weight: weights.get(share.section) ?? share.weight }))
  return { ...policy, shares }
}
