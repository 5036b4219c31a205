import type { ReasonCode, ReliefStep, ReliefStepRecord, Rung, Section } from '../../core/index.ts'
import { isEpisode, rungs } from '../../core/index.ts'
import { riskOf } from '../relief/risk-of.ts'
import type { Form } from '../forms/form.ts'
import { disclose, maskEpisodes } from './disclose.ts'
import { isAboveFloor, show } from './payload-work.ts'
import type { PayloadRelief, Work } from './payload-work.ts'
import { repeatedFacts } from '../relief/repeated-facts.ts'
import { stepRules } from '../relief/step-rules.ts'
import type { StepRule } from '../relief/step-rules.ts'

export interface RelievedPayload {
  readonly forms: readonly (Form | undefined)[]
  /** Why items are left out. */
  readonly left: ReadonlyMap<number, ReasonCode>
  /** Items that stand shorter than before. */
  readonly shortened: ReadonlySet<number>
  /** Whether the notes of the frame are shortened. */
  readonly tight: boolean
  readonly steps: readonly ReliefStepRecord[]
  readonly fits: boolean
}

/**
 * Takes the steps of a policy in their order until a pack fits, and first, for each section that exceeds its maximum, those that it
 * needs. A step lowers tokens or is not taken, so that this ends: no step is taken twice in a row for the same thing.
 */
export function relievePayload(input: PayloadRelief): RelievedPayload {
  const work: Work = {
    input,
    forms: [...input.forms],
    tokens: input.forms.reduce((sum, form) => sum + (form?.tokens ?? 0), input.frameTokens),
    plans: new Map(input.plans.map((plan) => [plan.section, plan])),
    used: usedBySection(input),
    left: new Map(),
    shortened: new Set(),
    keepers: new Set(),
    tight: false,
  }
  const records: ReliefStepRecord[] = []
  let fits = true
  for (const { section, budget } of input.plans.filter((plan) => input.holdsMaximum(plan))) {
    // What may take all there is has no bound of its own.
    if (budget.max >= input.limits.available || (work.used.get(section) ?? 0) <= budget.max) continue
    records.push(...takeSteps(work, { section, compress: budget.max, evict: budget.max }))
    if ((work.used.get(section) ?? 0) > budget.max) fits = false
  }
  records.push(...takeSteps(work, input.limits))
  const { forms, left, shortened, tight } = work
  return { forms, left, shortened, tight, steps: records, fits: fits && work.tokens <= input.limits.available }
}

/** How far steps go: of one section, or of everything. */
interface Goal {
  readonly section?: Section
  readonly compress: number
  readonly evict: number
  readonly sparesEpisodes?: boolean
}

function usedBySection({ view, forms }: PayloadRelief): Map<Section, number> {
  const used = new Map<Section, number>()
  for (const [index, { section }] of view.items.entries())
    used.set(section, (used.get(section) ?? 0) + (forms[index]?.tokens ?? 0))
  return used
}

function takeSteps(work: Work, goal: Goal): readonly ReliefStepRecord[] {
  const records: ReliefStepRecord[] = []
  for (const step of work.input.view.steps) {
    const tokensBefore = work.tokens
    takeStep(work, goal, step)
    if (work.tokens < tokensBefore)
      records.push({
        step,
        ...riskOf(step),
        ...(goal.section !== undefined && { section: goal.section }),
        tokensBefore,
        tokensAfter: work.tokens,
      })
  }
  return records
}

function takeStep(work: Work, goal: Goal, step: ReliefStep): void {
  if (step === 'step-notes') tighten(work, goal)
  else if (step === 'dedupe') dedupe(work, goal)
  else if (step === 'disclose') ofAll(goal, () => disclose(work))
  else if (step === 'mask-episodes') ofAll(goal, () => maskEpisodes(work))
  else if (step === 'in-proportion') inProportion(work, goal)
  else {
    const rule = stepRules[step]
    if (excess(work, goal, rule.until) <= 0) return
    const members = rule
      .members(work.input.view, (index) => work.forms[index]?.tokens ?? 0)
      .filter((index) => work.forms[index] !== undefined && isMeant(work, goal, index))
    const inOrder = work.keepers.size === 0 ? members : keepersLast(work, members)
    if (rule.rungs.length === 0) leaveOut(work, goal, { members: inOrder, until: rule.until, reason: 'pressure' })
    else shorten(work, goal, rule, inOrder)
  }
}

/**
 * Every section that may give way is shortened in proportion to its tokens. What one section cannot give is asked of the others. Nothing is
 * left out, and episodes stand as they do: `mask-episodes` has chosen which of them stand whole.
 */
function inProportion(work: Work, goal: Goal): void {
  if (goal.section !== undefined) return shortenSection(work, { ...goal, sparesEpisodes: true })
  for (let before = Infinity; work.tokens < before && excess(work, goal, 'compress') > 0;) {
    before = work.tokens
    const needed = excess(work, goal, 'compress')
    const soft = softTokens(work)
    const all = [...soft.values()].reduce((sum, tokens) => sum + tokens, 0)
    for (const [section, tokens] of soft) {
      const most = Math.floor((work.used.get(section) ?? 0) - (needed * tokens) / all)
      shortenSection(work, { section, compress: most, evict: most, sparesEpisodes: true })
    }
  }
}

/** What sections that may give way take, episodes left out. */
function softTokens({ input: { view }, forms }: Work): ReadonlyMap<Section, number> {
  const soft = new Map<Section, number>()
  for (const [index, item] of view.items.entries()) {
    const { section } = item
    if (view.tiers.has(section) && !isEpisode(item))
      soft.set(section, (soft.get(section) ?? 0) + (forms[index]?.tokens ?? 0))
  }
  return soft
}

function shortenSection(work: Work, goal: Goal): void {
  for (const step of ['prune', 'compress'] as const) takeStep(work, goal, step)
}

/** A step that looks at the whole pack is not taken for one section. */
function ofAll({ section }: Goal, step: () => void): void {
  if (section === undefined) step()
}

function keepersLast({ keepers }: Work, members: readonly number[]): readonly number[] {
  return [...members.filter((index) => !keepers.has(index)), ...members.filter((index) => keepers.has(index))]
}

function isMeant({ input }: Work, { section, sparesEpisodes }: Goal, index: number): boolean {
  const item = input.view.items[index]
  if (sparesEpisodes === true && isEpisode(item)) return false
  return section === undefined || item?.section === section
}

/** Tokens that are still too many. */
function excess({ tokens, used }: Work, goal: Goal, until: StepRule['until']): number {
  return (goal.section === undefined ? tokens : (used.get(goal.section) ?? 0)) - goal[until]
}

function tighten(work: Work, goal: Goal): void {
  if (work.tight || goal.section !== undefined || excess(work, goal, 'compress') <= 0) return
  const { frameTokens } = work.input
  const tight = work.input.tightFrameTokens() ?? frameTokens
  if (tight >= frameTokens) return
  work.tight = true
  work.tokens -= frameTokens - tight
}

function dedupe(work: Work, goal: Goal): void {
  if (excess(work, goal, 'compress') <= 0) return
  const { view } = work.input
  const repeated = repeatedFacts(view, (index) => work.forms[index] !== undefined && !work.shortened.has(index))
  const members = repeated.map(({ index }) => index).filter((index) => isMeant(work, goal, index))
  leaveOut(work, goal, { members, until: 'compress', reason: 'duplicate' })
  for (const { index, keepers } of repeated)
    if (work.left.get(index) === 'duplicate') for (const keeper of keepers) work.keepers.add(keeper)
}

/** Each to the dearest form that makes enough room, also where that is of an earlier rung, or to the cheapest of the rung. */
function shorten(work: Work, goal: Goal, rule: StepRule, members: readonly number[]): void {
  for (const rung of rule.rungs)
    for (const index of members) {
      const needed = excess(work, goal, rule.until)
      if (needed <= 0) return
      const shown = work.forms[index]
      if (shown === undefined) continue
      const form = formAt(rung, rule, { forms: work.input.ladder(index), below: shown.tokens, needed })
      if (form !== undefined && isAboveFloor(work, [index], shown.tokens - form.tokens)) show(work, index, form)
    }
}

interface Offer {
  readonly forms: readonly Form[]
  /** What it takes now. */
  readonly below: number
  readonly needed: number
}

function formAt(rung: Rung, { least = 0 }: StepRule, { forms, below, needed }: Offer): Form | undefined {
  const last = rungs.indexOf(rung)
  const offered = forms.filter(
    ({ rendition, tokens }) => tokens < below && rendition.fidelity >= least && rungs.indexOf(rendition.rung) <= last,
  )
  const enough = offered.find(({ tokens }) => below - tokens >= needed)
  return enough ?? offered.findLast(({ rendition }) => rendition.rung === rung)
}

interface Leaving {
  readonly members: readonly number[]
  readonly until: StepRule['until']
  readonly reason: ReasonCode
}

/** What shares a group goes with it, or nothing of it does. */
function leaveOut(work: Work, goal: Goal, { members, until, reason }: Leaving): void {
  const { view, groupOf } = work.input
  for (const index of members) {
    if (excess(work, goal, until) <= 0) return
    if (work.forms[index] === undefined) continue
    const group = groupOf(index)
    const isFree = (member: number): boolean => {
      const section = view.items[member]?.section ?? ''
      return view.pinned[member] !== 1 && view.tiers.has(section) && (reason === 'duplicate' || view.mayLose(section))
    }
    const tokens = group.reduce((sum, member) => sum + (work.forms[member]?.tokens ?? 0), 0)
    if (!group.every(isFree) || !isAboveFloor(work, group, tokens)) continue
    for (const member of group) {
      if (work.forms[member] === undefined) continue
      show(work, member, undefined)
      work.left.set(member, reason)
    }
  }
}
