import type { ReasonCode, Section } from '../core/index.ts'
import { availableTokens } from './budget/resolve-budget.ts'
import type { Candidate } from './candidate.ts'
import type { HeldCut, PackJob } from './pack-job.ts'
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
  /** Where the conversation was cut, as indexes of candidates; absent where all of it stands as it came. */
  readonly history?: HeldCut & { readonly held: boolean }
}

/** Allocates and compresses: tokens for the sections, then a form for each of their items. */
export function solvePack(job: PackJob, { without = new Map(), relaxed = false }: SolveOptions = {}): Solution {
  const plans = planSections({ ...job, without: [job.dropped, without] })
  const available = availableTokens(job.budget) - job.frameTokens
  const granted = allocateSections({
    plans,
    availableTokens: Math.max(0, available),
    costSensitivity: job.budget.costSensitivity,
    relaxed,
  })
  const work: Work = { job, forms: job.candidates.map(() => undefined), history: undefined }
  const { forms } = work
  const allocated = new Map(granted.tokens)
  const neededTokens = granted.neededTokens + job.frameTokens
  const base = { job, forms, without, plans, allocated, neededTokens, availableTokens: availableTokens(job.budget) }
  if (!granted.fits || available < 0) return { ...base, grouped: new Set(), fits: false }
  let unspent = available
  for (const plan of plans) unspent -= compressInto(work, plan, allocated.get(plan.section) ?? 0)
  spendRest({ work, plans, wanted: granted.wanted, allocated, unspent, available })
  const grouped = closeGroups(job, forms)
  return {
    ...base,
    grouped,
    fits: true,
    ...(work.history === undefined ? {} : { history: work.history }),
    ...(granted.shadowPrice === undefined ? {} : { shadowPrice: granted.shadowPrice }),
  }
}

/** What is filled in while a pack is solved. */
interface Work {
  readonly job: PackJob
  readonly forms: (Shown | undefined)[]
  history: Solution['history']
}

/** Chooses the forms of one section; gives the tokens it used. */
function compressInto(work: Work, plan: SectionPlan, budgetTokens: number): number {
  const { job, forms } = work
  const { candidates, setting, parts } = job
  const mayBeCut = plan.section === 'history' && job.heldCut !== undefined
  const chosen = plan.demand <= budgetTokens && !mayBeCut ? undefined : chooseForms(work, plan, budgetTokens)
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

function chooseForms(work: Work, { section, members }: SectionPlan, budgetTokens: number): Int32Array {
  const { job } = work
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
  const { heldCut } = job
  const placeOf = (index: number): number => {
    const place = members.findIndex((member) => member >= index)
    return place === -1 ? members.length : place
  }
  const { chosen, cut, held } = compressHistory({
    pinned: picked(pinned, members, new Uint8Array(members.length)),
    budgetTokens,
    held: heldCut && { short: placeOf(heldCut.short), whole: placeOf(heldCut.whole) },
    cutShare: job.input.ledger === undefined ? 1 : job.input.policy.pressure.prepare,
    ...(job.list.grouped ? { groupOf: (place: number) => at(place)?.item.group } : {}),
    ladder(place) {
      const candidate = at(place)
      return candidate && parts.shown.ladder(candidate, setting)
    },
  })
  const indexAt = (place: number): number => members[place] ?? candidates.length
  work.history = { short: indexAt(cut.short), whole: indexAt(cut.whole), held }
  return chosen
}

/** Tokens below this share of the budget are not worth another round. */
const worthSpending = 0.005

/**
 * What items were too large to use goes to the sections where more tokens are still worth their price, the heaviest
 * first; what the price left over stays unspent.
 */
function spendRest(rest: {
  readonly work: Work
  readonly plans: readonly SectionPlan[]
  readonly wanted: ReadonlyMap<Section, number>
  readonly allocated: Map<Section, number>
  readonly unspent: number
  readonly available: number
}): void {
  const { work, plans, wanted, allocated, available } = rest
  const { forms } = work
  let { unspent } = rest
  const wanting = plans
    .filter(({ section }) => (wanted.get(section) ?? 0) > (allocated.get(section) ?? 0))
    .toSorted((a, b) => b.budget.weight - a.budget.weight)
  for (const plan of wanting) {
    if (unspent < worthSpending * available) return
    const used = usedTokens(forms, plan)
    const more = Math.min(wanted.get(plan.section) ?? 0, used + unspent)
    if (more <= (allocated.get(plan.section) ?? 0)) continue
    for (const other of plans) allocated.set(other.section, usedTokens(forms, other))
    unspent -= compressInto(work, plan, more) - used
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
