import type { Disclosure, EpisodeMask, ReasonCode, Section } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { SectionPlan } from '../stages/plan-sections.ts'
import type { ReliefView } from '../relief/relief-view.ts'

/** Tokens of a pack above which steps are taken, and down to which they go. */
export interface ReliefLimits {
  readonly compress: number
  readonly evict: number
  /** What there is. */
  readonly available: number
}

export interface PayloadRelief {
  readonly view: ReliefView
  readonly limits: ReliefLimits
  /** How items stand before; undefined where one is not shown. */
  readonly forms: readonly (Form | undefined)[]
  /** What no item owns, and what its notes take if they are shortened. */
  readonly frameTokens: number
  tightFrameTokens(): number | undefined
  /** Sections with their members and bounds. */
  readonly plans: readonly SectionPlan[]
  /** The forms of an item, dearest first. */
  ladder(index: number): readonly Form[]
  /** Whether a section's maximum is kept also where there is room to spare. */
  holdsMaximum(plan: SectionPlan): boolean
  readonly disclosure: Required<Disclosure>
  readonly episodes: EpisodeMask
  /** What goes together, where it is more than one. */
  groupOf(index: number): readonly number[]
}

/** What is filled in while steps are taken. */
export interface Work {
  readonly input: PayloadRelief
  readonly forms: (Form | undefined)[]
  tokens: number
  readonly plans: ReadonlyMap<Section, SectionPlan>
  readonly used: Map<Section, number>
  readonly left: Map<number, ReasonCode>
  readonly shortened: Set<number>
  /** What states facts that are left out elsewhere goes last. */
  readonly keepers: Set<number>
  tight: boolean
}

/** A minimum that a section was promised stands; for a group, that of each of its sections, as if all of it were there. */
export function isAboveFloor({ input, plans, used }: Work, group: readonly number[], saved: number): boolean {
  return group.every((index) => {
    const section = input.view.items[index]?.section ?? ''
    const plan = plans.get(section)
    const floor = Math.min(plan?.budget.min ?? 0, plan?.demand ?? 0)
    return floor === 0 || (used.get(section) ?? 0) - saved >= floor
  })
}

/** From now on an item is shown so, or not at all. */
export function show(work: Work, index: number, form: Form | undefined): void {
  const saved = (work.forms[index]?.tokens ?? 0) - (form?.tokens ?? 0)
  const section = work.input.view.items[index]?.section ?? ''
  work.forms[index] = form
  work.tokens -= saved
  work.used.set(section, (work.used.get(section) ?? 0) - saved)
  if (form !== undefined) work.shortened.add(index)
}
