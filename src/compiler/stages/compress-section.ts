import type { Section } from '../../core/index.ts'
import type { Candidate } from '../candidate.ts'
import type { LadderSetting, ShownLadder } from '../shown.ts'
import { chooseFromPlan, leftOut } from '../solvers/choose-rungs.ts'
import type { RungPlan } from '../solvers/rung-plan.ts'
import { rungPlan } from '../solvers/rung-plan.ts'

/** One section whose candidates want more than it has. */
export interface SectionProblem {
  readonly section: Section
  readonly members: readonly SectionMember[]
  readonly budgetTokens: number
  readonly setting: LadderSetting
}

export interface SectionMember {
  readonly candidate: Candidate
  readonly score: number
  readonly pinned: boolean
}

/** Gives the form of each member as an index into its ladder, `leftOut` where it is not shown. */
export type CompressSection = (problem: SectionProblem) => Int32Array

/**
 * Compresses sections (P-024): the forms that are worth the most within their tokens. The order of a section's steps is
 * kept until its members change, so that a new budget for the same members costs one pass.
 */
export function sectionCompressor(
  ladderOf: (candidate: Candidate, setting: LadderSetting) => ShownLadder,
): CompressSection {
  const kept = new Map<Section, Kept>()
  return (problem) => {
    let known = kept.get(problem.section)
    if (known === undefined || !isSame(known, problem)) {
      known = { members: problem.members, key: problem.setting.key, plan: planOf(problem, ladderOf) }
      kept.set(problem.section, known)
    }
    const { chosen, fits } = chooseFromPlan(known.plan, problem.budgetTokens)
    return fits ? chosen : chosen.map((_, index) => (problem.members[index]?.pinned === true ? 0 : leftOut))
  }
}

interface Kept {
  readonly members: readonly SectionMember[]
  readonly key: string
  readonly plan: RungPlan
}

function isSame({ members, key }: Kept, problem: SectionProblem): boolean {
  if (key !== problem.setting.key || members.length !== problem.members.length) return false
  for (const [index, member] of problem.members.entries()) {
    const before = members[index]
    if (before?.candidate !== member.candidate || before.score !== member.score || before.pinned !== member.pinned)
      return false
  }
  return true
}

function planOf(
  { members, setting }: SectionProblem,
  ladderOf: (candidate: Candidate, setting: LadderSetting) => ShownLadder,
): RungPlan {
  return rungPlan(
    members.map(({ candidate, score, pinned }) => {
      const { points, hull } = ladderOf(candidate, setting)
      const { group } = candidate.item
      return { points, hull, weight: score, pinned, ...(group === undefined ? {} : { group }) }
    }),
  )
}
