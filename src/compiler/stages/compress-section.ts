import type { Section } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'
import { isCoreTool } from '../items/core-tools.ts'
import type { FormLadder } from '../forms/form.ts'
import { withinRemoval } from '../forms/form.ts'
import type { LadderSetting } from '../forms/form-reader.ts'
import { chooseFromPlan, leftOut } from '../solvers/choose-rungs.ts'
import type { RungPoint } from '../solvers/hull.ts'
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
  /** Most of an item that a shorter form may take away. */
  readonly mostRemoved: number | undefined
  readonly setting: LadderSetting
  /** Of tools: names of those that are shortened last. */
  readonly core?: ReadonlySet<string>
}

/** Gives the form of each member as an index into its ladder, `leftOut` where it is not shown. */
export type CompressSection = (problem: SectionProblem) => Int32Array

type LadderOf = (candidate: Candidate, setting: LadderSetting) => FormLadder

/**
 * Compresses sections: the forms that are worth the most within their tokens. The order of a section's steps is
 * kept until its members change, so that a new budget for the same members costs one pass.
 */
export function sectionCompressor(wholeLadder: LadderOf): CompressSection {
  const kept = new Map<Section, Kept>()
  return (problem) => {
    const ladderOf: LadderOf = (candidate, setting) =>
      withinRemoval(wholeLadder(candidate, setting), problem.mostRemoved)
    let known = kept.get(problem.section)
    if (known === undefined || !isSame(known.problem, problem)) {
      known = { problem, plan: planOf(problem, ladderOf) }
      if (kept.size >= rememberedSections) kept.clear()
      kept.set(problem.section, known)
    }
    if (problem.section === 'tools') return chooseTools(known, problem, ladderOf)
    const { chosen, fits } = chooseFromPlan(known.plan, problem.budgetTokens)
    return fits ? chosen : chosen.map((_, index) => (problem.pinned[index] === 1 ? 0 : leftOut))
  }
}

/**
 * Of tools all are shown, in short forms where there is want of room, those of the core last, before any is left out. A plan has them in
 * their shortest forms for nothing; where even these do not fit, some are left out.
 */
function chooseTools({ plan }: Kept, problem: SectionProblem, ladderOf: LadderOf): Int32Array {
  const { members, pinned, budgetTokens, core = noTools } = problem
  const ladders = members.map((candidate) => ladderOf(candidate, problem.setting))
  const shortest = ladders.map(({ points }, index) => (pinned[index] === 1 ? 0 : points.length - 1))
  const outside = shortest.map((point, index) =>
    isCoreTool(core, members[index]?.item ?? {}) ? (ladders[index]?.lossless ?? 0) : point,
  )
  const tokensOf = (points: readonly number[]): number =>
    points.reduce((sum, point, index) => sum + (ladders[index]?.points[point]?.tokens ?? 0), 0)
  const lowest = [outside, shortest].find((points) => tokensOf(points) <= budgetTokens)
  if (lowest === undefined) return leaveOutTools(plan, problem)
  const above = rungPlan(
    ladders.map(({ points }, index) => ({
      points: pointsAbove(points, lowest[index] ?? 0),
      weight: Math.max(leastWeight, problem.scores[index] ?? 0),
    })),
  )
  const { chosen } = chooseFromPlan(above, budgetTokens - tokensOf(lowest))
  return chosen.map((point, index) => (point === leftOut ? (lowest[index] ?? 0) : point))
}

const noTools: ReadonlySet<string> = new Set()

function leaveOutTools(plan: RungPlan, { budgetTokens, pinned }: SectionProblem): Int32Array {
  const { chosen, fits } = chooseFromPlan(plan, budgetTokens)
  return fits ? chosen : chosen.map((_, index) => (pinned[index] === 1 ? 0 : leftOut))
}

const leastWeight = 0.01

function pointsAbove(points: readonly RungPoint[], shortest: number): readonly RungPoint[] {
  const base = points[shortest]
  if (base === undefined) return []
  return points
    .slice(0, shortest)
    .map(({ tokens, value }) => ({ tokens: tokens - base.tokens, value: value - base.value }))
}

/** Sections have any name; a caller that makes up new ones must not fill the memory. */
const rememberedSections = 64

interface Kept {
  readonly problem: SectionProblem
  readonly plan: RungPlan
}

function isSame(before: SectionProblem, { members, scores, pinned, setting, mostRemoved }: SectionProblem): boolean {
  if (before.setting.key !== setting.key || before.members.length !== members.length) return false
  if (before.mostRemoved !== mostRemoved) return false
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
