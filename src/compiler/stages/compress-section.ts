import type { Section } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'
import { isCoreTool } from '../items/core-tools.ts'
import type { FormLadder } from '../forms/form.ts'
import { withinRemoval } from '../forms/form.ts'
import type { LadderSetting } from '../items/form-reader.ts'
import { chooseFromPlan, leftOut } from '../solvers/choose-rungs.ts'
import type { RungPoint } from '../solvers/hull.ts'
import type { RungPlan } from '../solvers/rung-plan.ts'
import { rungPlan } from '../solvers/rung-plan.ts'
import type { SectionForms } from './section-forms.ts'

/** One section whose candidates want more than it has. */
export interface SectionProblem {
  readonly section: Section
  readonly candidates: readonly Candidate[]
  /** Indexes of the section's candidates. */
  readonly members: readonly number[]
  /** Per candidate. */
  readonly scores: Float64Array
  /** Per candidate: 1 where it stands whole whatever happens. */
  readonly pinned: Uint8Array
  readonly budgetTokens: number
  /** Most of an item that a shorter form may take away. */
  readonly mostRemoved: number | undefined
  readonly setting: LadderSetting
  /** Of tools: names of those that are shortened last. */
  readonly core?: ReadonlySet<string>
}

/** What is chosen for the members of a section; the same object where nothing has changed. */
export interface SectionChoice {
  /** The form of each member as an index into its ladder, `leftOut` where it is not shown. */
  readonly chosen: Int32Array
  /** The forms themselves, once someone has looked them up. */
  shown: SectionForms | undefined
}

export type CompressSection = (problem: SectionProblem) => SectionChoice

type LadderOf = (candidate: Candidate, setting: LadderSetting) => FormLadder

/**
 * Compresses sections: the forms that are worth the most within their tokens. The order of a section's steps is
 * kept until its members change, so that a new budget for the same members costs one pass, and the same budget none.
 */
export function sectionCompressor(wholeLadder: LadderOf): CompressSection {
  const kept = new Map<Section, Kept>()
  return (problem) => {
    const ladderOf: LadderOf = (candidate, setting) =>
      withinRemoval(wholeLadder(candidate, setting), problem.mostRemoved)
    let known = kept.get(problem.section)
    if (known === undefined || !isSame(known, problem)) {
      known = keptOf(problem, ladderOf)
      if (kept.size >= rememberedSections) kept.clear()
      kept.set(problem.section, known)
    }
    if (problem.section === 'tools') return chooseTools(known, problem, ladderOf)
    return chooseKept(known, problem.budgetTokens)
  }
}

function chooseKept(kept: Kept, budgetTokens: number): SectionChoice {
  if (kept.last?.budgetTokens === budgetTokens) return kept.last.choice
  const { chosen, fits } = chooseFromPlan(kept.plan, budgetTokens)
  const choice = { chosen: fits ? chosen : onlyPinned(kept, chosen), shown: undefined }
  kept.last = { budgetTokens, choice }
  return choice
}

function onlyPinned({ pinned }: Kept, chosen: Int32Array): Int32Array {
  return chosen.map((_, at) => (pinned[at] === 1 ? 0 : leftOut))
}

/**
 * Of tools all are shown, in short forms where there is want of room, those of the core last, before any is left out. A plan has them in
 * their shortest forms for nothing; where even these do not fit, some are left out.
 */
function chooseTools(kept: Kept, problem: SectionProblem, ladderOf: LadderOf): SectionChoice {
  const { members, pinned } = kept
  const { budgetTokens, core = noTools } = problem
  const ladders = members.map((candidate) => ladderOf(candidate, problem.setting))
  const shortest = ladders.map(({ points }, index) => (pinned[index] === 1 ? 0 : points.length - 1))
  const outside = shortest.map((point, index) =>
    isCoreTool(core, members[index]?.item ?? {}) ? (ladders[index]?.lossless ?? 0) : point,
  )
  const tokensOf = (points: readonly number[]): number =>
    points.reduce((sum, point, index) => sum + (ladders[index]?.points[point]?.tokens ?? 0), 0)
  const lowest = [outside, shortest].find((points) => tokensOf(points) <= budgetTokens)
  if (lowest === undefined) return chooseKept(kept, budgetTokens)
  const above = rungPlan(
    ladders.map(({ points }, index) => ({
      points: pointsAbove(points, lowest[index] ?? 0),
      weight: Math.max(leastWeight, kept.scores[index] ?? 0),
    })),
  )
  const { chosen } = chooseFromPlan(above, budgetTokens - tokensOf(lowest))
  const all = chosen.map((point, index) => (point === leftOut ? (lowest[index] ?? 0) : point))
  return { chosen: all, shown: undefined }
}

const noTools: ReadonlySet<string> = new Set()

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

/** Per member, as the plan was made. */
interface Kept {
  readonly members: readonly Candidate[]
  readonly scores: Float64Array
  readonly pinned: Uint8Array
  readonly settingKey: string
  readonly mostRemoved: number | undefined
  readonly plan: RungPlan
  last: { readonly budgetTokens: number; readonly choice: SectionChoice } | undefined
}

function isSame(kept: Kept, problem: SectionProblem): boolean {
  const { candidates, members, scores, pinned, setting, mostRemoved } = problem
  if (kept.settingKey !== setting.key || kept.members.length !== members.length) return false
  if (kept.mostRemoved !== mostRemoved) return false
  for (let at = 0; at < members.length; at += 1) {
    const index = members[at] ?? 0
    if (
      !Object.is(kept.members[at], candidates[index]) ||
      kept.scores[at] !== scores[index] ||
      kept.pinned[at] !== pinned[index]
    )
      return false
  }
  return true
}

function keptOf(problem: SectionProblem, ladderOf: LadderOf): Kept {
  const { setting, mostRemoved } = problem
  const members = problem.members.flatMap((index) => problem.candidates[index] ?? [])
  const scores = Float64Array.from(problem.members, (index) => problem.scores[index] ?? 0)
  const pinned = Uint8Array.from(problem.members, (index) => problem.pinned[index] ?? 0)
  const plan = rungPlan(
    members.map((candidate, at) => {
      const { points, hull } = ladderOf(candidate, setting)
      const { group } = candidate.item
      const options = { points, hull, weight: scores[at] ?? 0, pinned: pinned[at] === 1 }
      return group === undefined ? options : { ...options, group }
    }),
  )
  return { members, scores, pinned, settingKey: setting.key, mostRemoved, plan, last: undefined }
}
