import type {
  Disclosure,
  EpisodeMask,
  ReasonCode,
  ReliefStep,
  ReliefStepRecord,
  Rung,
  Section,
} from '../../core/index.ts'
import { rungs } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { SectionPlan } from '../stages/plan-sections.ts'
import { maskedEpisodes, windowAt } from './episode-mask.ts'
import { lowestFirst, ofTier } from './relief-view.ts'
import type { ReliefView } from './relief-view.ts'
import { repeatedFacts } from './repeated-facts.ts'
import { stepRules } from './step-rules.ts'
import type { StepRule } from './step-rules.ts'

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

/** What is filled in while steps are taken. */
interface Work {
  readonly input: PayloadRelief
  readonly forms: (Form | undefined)[]
  tokens: number
  readonly used: Map<Section, number>
  readonly left: Map<number, ReasonCode>
  readonly shortened: Set<number>
  /** What states facts that are left out elsewhere goes last. */
  readonly keepers: Set<number>
  tight: boolean
}

/** How far steps go: of one section, or of everything. */
interface Goal {
  readonly section?: Section
  readonly compress: number
  readonly evict: number
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
  else if (step === 'disclose') disclose(work, goal)
  else if (step === 'mask-episodes') maskEpisodes(work, goal)
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

function keepersLast({ keepers }: Work, members: readonly number[]): readonly number[] {
  return [...members.filter((index) => !keepers.has(index)), ...members.filter((index) => keepers.has(index))]
}

function isMeant({ input }: Work, { section }: Goal, index: number): boolean {
  return section === undefined || input.view.items[index]?.section === section
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

/** The newest episodes stand, older ones in a row each, the rest is left out; whatever room there is. */
function maskEpisodes(work: Work, goal: Goal): void {
  if (goal.section !== undefined) return
  const { view, limits, groupOf, ladder, episodes } = work.input
  const shown = ofTier(view, 3).filter((index) => work.forms[index] !== undefined && groupOf(index).length === 1)
  const masked = maskedEpisodes(view.items, shown, windowAt(episodes, work.tokens / Math.max(1, limits.available)))
  for (const index of masked.rows) {
    const full = work.forms[index]?.tokens ?? 0
    const row = ladder(index).find(({ rendition, tokens }) => rendition.rung === 'line' && tokens < full)
    if (row !== undefined) show(work, index, row)
  }
  for (const index of masked.out.filter((at) => view.mayLose(view.items[at]?.section ?? ''))) {
    show(work, index, undefined)
    work.left.set(index, 'pressure')
  }
}

/**
 * What is worth most stands whole until a share of the budget is used, what follows in one line each up to another, and the rest is left
 * out; each only where it still fits. What is not evidence or memory counts first. Groups stand as they are.
 */
function disclose(work: Work, goal: Goal): void {
  if (goal.section !== undefined) return
  const { view, limits, groupOf, ladder, disclosure } = work.input
  const members = [...ofTier(view, 2), ...ofTier(view, 3)].filter(
    (index) => work.forms[index] !== undefined && groupOf(index).length === 1,
  )
  let used = members.reduce((sum, index) => sum - (work.forms[index]?.tokens ?? 0), work.tokens)
  for (const index of lowestFirst(view, members).toReversed()) {
    const shown = work.forms[index]
    const full = shown?.tokens ?? 0
    if (used + full > disclosure.full * limits.available) {
      // What is too short for a line of its own is one.
      const line = ladder(index).find(({ rendition, tokens }) => rendition.rung === 'line' && tokens < full) ?? shown
      const fits = used < disclosure.line * limits.available && used + (line?.tokens ?? 0) <= limits.available
      const section = view.items[index]?.section ?? ''
      if (fits && line !== shown) show(work, index, line)
      else if (!fits && view.mayLose(section) && isAboveFloor(work, [index], full)) {
        show(work, index, undefined)
        work.left.set(index, 'pressure')
      }
    }
    used += work.forms[index]?.tokens ?? 0
  }
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

/** A minimum that a section was promised stands; for a group, that of each of its sections, as if all of it were there. */
function isAboveFloor({ input, used }: Work, group: readonly number[], saved: number): boolean {
  return group.every((index) => {
    const section = input.view.items[index]?.section ?? ''
    const plan = input.plans.find((one) => one.section === section)
    const floor = Math.min(plan?.budget.min ?? 0, plan?.demand ?? 0)
    return floor === 0 || (used.get(section) ?? 0) - saved >= floor
  })
}

function show(work: Work, index: number, form: Form | undefined): void {
  const saved = (work.forms[index]?.tokens ?? 0) - (form?.tokens ?? 0)
  const section = work.input.view.items[index]?.section ?? ''
  work.forms[index] = form
  work.tokens -= saved
  work.used.set(section, (work.used.get(section) ?? 0) - saved)
  if (form !== undefined) work.shortened.add(index)
}
