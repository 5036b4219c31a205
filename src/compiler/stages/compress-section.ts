import type { Section } from '../../core/index.ts'
import type { Candidate } from '../candidate.ts'
import type { ShownLadder } from '../shown-form.ts'
import type { LadderSetting } from '../shown.ts'
import { chooseFromPlan, leftOut } from '../solvers/choose-rungs.ts'
import type { RungPlan } from '../solvers/rung-plan.ts'
import { rungPlan } from '../solvers/rung-plan.ts'

/** One section whose candidates want more than it has. */
export interface SectionProblem {
  readonly section: Section
  readonly members: readonly Candidate[]
  /** Per member. */
  readonly scores: Float64Array
  /** Per member: 1 where it stands whole whatever happens. */
  readonly pinned: Uint8Array
  readonly budgetTokens: number
  readonly setting: LadderSetting
}

/** Gives the form of each member as an index into its ladder, `leftOut` where it is not shown. */
export type CompressSection = (problem: SectionProblem) => Int32Array

type LadderOf = (candidate: Candidate, setting: LadderSetting) => ShownLadder

/**
 * Compresses sections: the forms that are worth the most within their tokens. The order of a section's steps is
 * kept until its members change, so that a new budget for the same members costs one pass.
 */
export function sectionCompressor(ladderOf: LadderOf): CompressSection {
  const kept = new Map<Section, Kept>()
  return (problem) => {
    let known = kept.get(problem.section)
    if (known === undefined || !isSame(known.problem, problem)) {
      known = { problem, plan: planOf(problem, ladderOf) }
      if (kept.size >= rememberedSections) kept.clear()
      kept.set(problem.section, known)
    }
    const { chosen, fits } = chooseFromPlan(known.plan, problem.budgetTokens)
    return fits ? chosen : chosen.map((_, index) => (problem.pinned[index] === 1 ? 0 : leftOut))
  }
}

/** Sections have any name; a caller that makes up new ones must not fill the memory. */
const rememberedSections = 64

interface Kept {
  readonly problem: SectionProblem
  readonly plan: RungPlan
}

function isSame(before: SectionProblem, { members, scores, pinned, setting }: SectionProblem): boolean {
  if (before.setting.key !== setting.key || before.members.length !== members.length) return false
  for (let index = 0; index < members.length; index += 1) {
    if (
      before.members[index] !== members[index] ||
      before.scores[index] !== scores[index] ||
      before.pinned[index] !== pinned[index]
    )
      return false
  }
  return true
}

function planOf({ members, scores, pinned, setting }: SectionProblem, ladderOf: LadderOf): RungPlan {
  return rungPlan(
    members.map((candidate, index) => {
      const { points, hull } = ladderOf(candidate, setting)
      const { group } = candidate.item
      const options = { points, hull, weight: scores[index] ?? 0, pinned: pinned[index] === 1 }
      return group === undefined ? options : { ...options, group }
    }),
  )
}
