import type { ReasonCode, Section } from '../core/index.ts'
import { availableTokens } from './budget/resolve-budget.ts'
import type { Candidate } from './candidate.ts'
import type { PackJob } from './pack-job.ts'
import type { CompilerParts } from './compiler-parts.ts'
import type { Shown } from './shown-form.ts'
import type { LadderSetting } from './shown.ts'
import { allocateSections } from './stages/allocate-sections.ts'
import { compressHistory } from './stages/compress-history.ts'
import { leftOut } from './solvers/choose-rungs.ts'
import { planSections } from './stages/plan-sections.ts'
import type { SectionPlan } from './stages/plan-sections.ts'

export interface SolveOptions {
  /** Items that an overflow policy took out, with the reason. */
  readonly without?: ReadonlyMap<number, ReasonCode>
  /** Whether floors are given up. */
  readonly relaxed?: boolean
}

/** A form for each candidate, within the budget. */
export interface Solution {
  readonly job: PackJob
  /** Undefined where the item is left out. */
  readonly forms: readonly (Shown | undefined)[]
  readonly without: ReadonlyMap<number, ReasonCode>
  readonly grouped: ReadonlySet<number>
  readonly plans: readonly SectionPlan[]
  readonly allocated: ReadonlyMap<Section, number>
  readonly shadowPrice?: number
  readonly fits: boolean
  readonly neededTokens: number
  readonly availableTokens: number
}

/** Allocates and compresses (P-024): tokens for the sections, then a form for each of their items. */
export function solvePack(job: PackJob, { without = new Map(), relaxed = false }: SolveOptions = {}): Solution {
  const plans = planSections({ ...job, without: [job.dropped, without] })
  const available = availableTokens(job.budget) - job.frameTokens
  const granted = allocateSections({
    plans,
    availableTokens: Math.max(0, available),
    costSensitivity: job.budget.costSensitivity,
    relaxed,
  })
  const forms: (Shown | undefined)[] = job.candidates.map(() => undefined)
  const allocated = new Map(granted.tokens)
  const neededTokens = granted.neededTokens + job.frameTokens
  const base = { job, forms, without, plans, allocated, neededTokens, availableTokens: availableTokens(job.budget) }
  if (!granted.fits || available < 0) return { ...base, grouped: new Set(), fits: false }
  let unspent = available
  for (const plan of plans) unspent -= compressInto(job, forms, plan, allocated.get(plan.section) ?? 0)
  spendRest({ job, forms, plans, allocated, unspent, available })
  const grouped = closeGroups(job, forms)
  return {
    ...base,
    grouped,
    fits: true,
    ...(granted.shadowPrice === undefined ? {} : { shadowPrice: granted.shadowPrice }),
  }
}

/** Chooses the forms of one section; gives the tokens it used. */
function compressInto(job: PackJob, forms: (Shown | undefined)[], plan: SectionPlan, budgetTokens: number): number {
  const { candidates, setting, parts } = job
  const whole = plan.demand <= budgetTokens
  const chosen = whole ? undefined : chooseForms(job, plan, budgetTokens)
  let used = 0
  for (let at = 0; at < plan.members.length; at += 1) {
    const index = plan.members[at] ?? 0
    const form = chosen === undefined ? 0 : (chosen[at] ?? leftOut)
    const candidate = form === leftOut ? undefined : candidates[index]
    const shown = candidate && formOf(parts, candidate, setting, form)
    forms[index] = shown
    if (shown !== undefined) used += shown.tokens
  }
  return used
}

function formOf(parts: CompilerParts, candidate: Candidate, setting: LadderSetting, form: number): Shown | undefined {
  return form === 0 ? parts.shown.full(candidate, setting.markup) : parts.shown.ladder(candidate, setting).shown[form]
}

/** Fills `into` with the values at the indexes. */
function picked<Values extends Float64Array | Uint8Array>(
  from: Values,
  indexes: readonly number[],
  into: Values,
): Values {
  for (let at = 0; at < indexes.length; at += 1) into[at] = from[indexes[at] ?? 0] ?? 0
  return into
}

function chooseForms(job: PackJob, { section, members }: SectionPlan, budgetTokens: number): Int32Array {
  const { candidates, scores, pinned, setting, parts } = job
  if (section !== 'history') {
    return parts.compressSection({
      section,
      members: members.flatMap((index) => candidates[index] ?? []),
      scores: picked(scores, members, new Float64Array(members.length)),
      pinned: picked(pinned, members, new Uint8Array(members.length)),
      budgetTokens,
      setting,
    })
  }
  const at = (place: number): Candidate | undefined => candidates[members[place] ?? -1]
  return compressHistory({
    pinned: picked(pinned, members, new Uint8Array(members.length)),
    budgetTokens,
    ...(job.list.grouped ? { groupOf: (place) => at(place)?.item.group } : {}),
    ladder(place) {
      const candidate = at(place)
      return candidate && parts.shown.ladder(candidate, setting)
    },
  })
}

/** Tokens below this share of the budget are not worth another round. */
const worthSpending = 0.005

/** What items were too large to use goes to the sections that still want more, the heaviest first. */
function spendRest(rest: {
  readonly job: PackJob
  readonly forms: (Shown | undefined)[]
  readonly plans: readonly SectionPlan[]
  readonly allocated: Map<Section, number>
  readonly unspent: number
  readonly available: number
}): void {
  const { job, forms, plans, allocated, available } = rest
  let { unspent } = rest
  const wanting = plans
    .filter(({ mode, section, demand }) => mode === 'elastic' && demand > (allocated.get(section) ?? 0))
    .toSorted((a, b) => b.budget.weight - a.budget.weight)
  for (const plan of wanting) {
    if (unspent < worthSpending * available) return
    const used = usedTokens(forms, plan)
    const more = Math.min(plan.budget.max, used + unspent)
    if (more <= (allocated.get(plan.section) ?? 0)) continue
    for (const other of plans) allocated.set(other.section, usedTokens(forms, other))
    unspent -= compressInto(job, forms, plan, more) - used
    allocated.set(plan.section, more)
  }
}

function usedTokens(forms: readonly (Shown | undefined)[], plan: SectionPlan): number {
  let used = 0
  for (const index of plan.members) {
    const form = forms[index]
    if (form !== undefined) used += form.tokens
  }
  return used
}

/** A group across sections of which a member found no room is left out as a whole. */
function closeGroups(job: PackJob, forms: (Shown | undefined)[]): ReadonlySet<number> {
  const left = new Set<number>()
  for (const members of job.spanning) {
    if (members.every((index) => forms[index] !== undefined)) continue
    for (const index of members) {
      if (forms[index] === undefined) continue
      forms[index] = undefined
      left.add(index)
    }
  }
  return left
}
