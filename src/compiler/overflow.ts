import type { Outcome, OverflowPolicy, ReasonCode } from '../core/index.ts'
import { overflowOf } from './overflow-of.ts'
import { availableTokens } from './budget/resolve-budget.ts'
import type { PackJob } from './pack-job.ts'
import { solvePack } from './solve-pack.ts'
import type { Solution } from './solve-pack.ts'

/** What a pack is made of, and how the compile ends; more than one solution are pages. */
export interface Settled {
  /** Without one there is no pack. */
  readonly solutions: readonly Solution[]
  readonly outcome: Exclude<Outcome, { readonly kind: 'paginated' }> | { readonly kind: 'paginated' }
}

/**
 * Overflow: what the candidates need in forms that lose nothing exceeds what there is. What happens then is the policy's
 * choice; without overflow all policies do the same.
 */
export function settle(job: PackJob): Settled {
  return strategies[overflowOf(job.input)](job)
}

const strategies: Readonly<Record<OverflowPolicy, (job: PackJob) => Settled>> = {
  'cascade-compress': cascade,
  'fail-loud': failLoud,
  'truncate-lowest': truncateLowest,
  'defer-retrieval': deferRetrieval,
  'paginate': paginate,
}

/** Sections share what there is; where even their floors do not fit together, the floors give way. */
function cascade(job: PackJob, without?: ReadonlyMap<number, ReasonCode>): Settled {
  const options = without === undefined ? {} : { without }
  const solution = solvePack(job, options)
  if (solution.fits) return { solutions: [solution], outcome: { kind: 'ok' } }
  const relaxed = solvePack(job, { ...options, relaxed: true })
  return relaxed.fits ? { solutions: [relaxed], outcome: { kind: 'ok' } } : refuse(relaxed)
}

/** Nothing is sent where not everything can be. */
function failLoud(job: PackJob): Settled {
  const needed = losslessTokens(job, new Map())
  const solution = solvePack(job)
  if (solution.fits && needed <= solution.availableTokens) return { solutions: [solution], outcome: { kind: 'ok' } }
  const neededTokens = Math.max(needed, solution.neededTokens)
  return { solutions: [], outcome: { ...exhausted(solution), neededTokens } }
}

/** Whole sections go, the least important first, until what is left fits; the last one is shortened. */
function truncateLowest(job: PackJob): Settled {
  const without = new Map<number, ReasonCode>()
  const lowestFirst = solvePack(job)
    .plans.filter(({ mode, members }) => mode === 'elastic' && members.length > 0)
    .toSorted((a, b) => b.budget.tier - a.budget.tier || a.budget.weight - b.budget.weight)
  for (const plan of lowestFirst.slice(0, -1)) {
    if (losslessTokens(job, without) <= availableTokens(job.budget)) break
    for (const index of plan.members) if (job.pinned[index] !== 1) without.set(index, 'overflow')
  }
  return cascade(job, without)
}

/** Evidence waits for another turn; pinned evidence does not. */
function deferRetrieval(job: PackJob): Settled {
  if (losslessTokens(job, new Map()) <= availableTokens(job.budget)) return cascade(job)
  const without = new Map<number, ReasonCode>()
  for (const index of evidenceOf(job)) if (job.pinned[index] !== 1) without.set(index, 'deferred')
  const settled = cascade(job, without)
  if (settled.solutions.length === 0 || without.size === 0) return settled
  const deferredIds = [...without.keys()].flatMap((index) => job.candidates[index]?.item.id ?? [])
  return { ...settled, outcome: { kind: 'retrieval-pending', deferredIds } }
}

/** Every piece of evidence stands on one page, and everything else on each. */
function paginate(job: PackJob): Settled {
  const first = cascade(job)
  const [solution] = first.solutions
  if (solution === undefined) return first
  const solutions = [solution]
  const evidence = evidenceOf(job)
  const shown = new Set(evidence.filter((index) => solution.forms[index] !== undefined))
  for (;;) {
    const waiting = evidence.filter((index) => !shown.has(index))
    if (waiting.length === 0) break
    const without = new Map<number, ReasonCode>()
    for (const index of shown) if (job.pinned[index] !== 1) without.set(index, 'deferred')
    const [page] = cascade(job, without).solutions
    const added = waiting.filter((index) => page?.forms[index] !== undefined)
    if (page === undefined || added.length === 0) return { solutions: [], outcome: splitRequired(solution, tooLarge) }
    for (const index of added) shown.add(index)
    solutions.push(page)
  }
  return { solutions, outcome: solutions.length === 1 ? { kind: 'ok' } : { kind: 'paginated' } }
}

function evidenceOf(job: PackJob): readonly number[] {
  return keptOf(job).filter((index) => job.candidates[index]?.item.section === 'evidence')
}

/** Indexes of the candidates that may be shown. */
function keptOf({ candidates, dropped }: PackJob): readonly number[] {
  return Array.from(candidates.keys()).filter((index) => !dropped.has(index))
}

const tooLarge = 'A piece of evidence is larger than what a page leaves for evidence.'

/** Fixed tiers that exceed the window are exhausted; where only pinned items do, the step can be split. */
function refuse(solution: Solution): Settled {
  const { plans, job, availableTokens: available } = solution
  const fixed = plans.reduce((sum, { mode, demand }) => (mode === 'fixed' ? sum + demand : sum), job.frameTokens)
  if (fixed > available) return { solutions: [], outcome: exhausted(solution) }
  return { solutions: [], outcome: splitRequired(solution, 'Pinned items do not fit beside the fixed tiers.') }
}

function exhausted({ plans, neededTokens, availableTokens: available }: Solution) {
  const sections = plans
    .filter(({ mode, demand, pinnedTokens }) => (mode === 'fixed' ? demand > 0 : pinnedTokens > 0))
    .map(({ section }) => section)
  return { kind: 'budget-exhausted' as const, neededTokens, availableTokens: Math.max(0, available), sections }
}

function splitRequired({ neededTokens, availableTokens: available }: Solution, reason: string) {
  return { kind: 'split-required' as const, neededTokens, availableTokens: Math.max(0, available), reason }
}

/** What the candidates need in the cheapest forms that lose nothing, frame included. */
function losslessTokens(job: PackJob, without: ReadonlyMap<number, ReasonCode>): number {
  let full = job.frameTokens
  const counted = keptOf(job).filter((index) => !without.has(index))
  for (const index of counted) full += job.fullTokens[index] ?? 0
  if (full <= availableTokens(job.budget)) return full
  let tokens = full
  for (const index of counted) {
    const candidate = job.candidates[index]
    if (candidate === undefined || job.pinned[index] === 1) continue
    const { shown } = job.parts.shown.ladder(candidate, job.setting)
    const kept = shown.findLast(({ rendition }) => rendition.fidelity >= 1)
    tokens -= (shown[0]?.tokens ?? 0) - (kept?.tokens ?? shown[0]?.tokens ?? 0)
  }
  return tokens
}
