import type {
  LedgerShown,
  Outcome,
  OverflowPolicy,
  ReasonCode,
  RefusalKind,
  ReliefRecord,
  Section,
} from '../../core/index.ts'
import type { Allocated } from '../stages/allocate.ts'
import type { Assembly } from '../stages/assemble.ts'
import type { Compressed } from '../stages/compress-input.ts'
import type { SectionPlan } from '../stages/plan-sections.ts'
import type { Filled } from './fill-pages.ts'

/** A form for each candidate, and what was granted for them. */
export interface Solution extends Compressed {
  /** Items that an overflow policy took out, with the reason. */
  readonly without: ReadonlyMap<number, ReasonCode>
  readonly allocated: Allocated
  /** The steps of relief that were taken; absent where the policy names none. */
  readonly relief?: ReliefRecord
  /** Items that steps of relief have shortened. */
  readonly shortened?: ReadonlySet<number>
  /** Tools and conversation that stand otherwise than they came, for the ledger. */
  readonly held?: {
    readonly shown: readonly LedgerShown[]
    /** Indexes of what stands as it stood before, and whether that is all that did. */
    readonly stood: ReadonlySet<number>
    readonly all: boolean
  }
  /** How the pack is written, where not as its layout says. */
  readonly assembly?: Assembly
}

/** A conversation on pages, or what of it no page has room for. */
export type PagedConversation =
  | { readonly kind: 'pages'; readonly pages: readonly Solution[] }
  | Exclude<Filled, { readonly kind: 'pages' }>

/** A compile, as a policy of overflow sees it. */
export interface OverflowProblem {
  readonly overflow: OverflowPolicy
  /** Indexes of the evidence that may wait for another request, in order. */
  waitingEvidence(): readonly number[]
  readonly availableTokens: number
  /** The item at an index. */
  idOf(index: number): string
  /** Whether an item may be left out for want of room. */
  mayGo(index: number): boolean
  /** What is left without some items needs in the cheapest forms that lose nothing, frame included. */
  losslessTokens(without: ReadonlyMap<number, ReasonCode>): number
  /** Grants tokens and chooses forms. */
  solve(without: ReadonlyMap<number, ReasonCode>): Solution
  /** Takes the steps of relief that the policy names; undefined where it names none. */
  relieve(): Solution | undefined
  /** The pages of a conversation, of which the solution is all; absent in other layouts. */
  readonly pagesOf?: (whole: Solution) => PagedConversation
  /** The same with the room of notes that say where the rest is, which pages do not have; absent where there are none. */
  readonly withoutNotes?: () => OverflowProblem
  /** Sections that a policy with steps of relief never loses items of, and that a solution has lost some of. */
  lost(solution: Solution): readonly Section[]
}

/** An outcome before pages are written and omitted items counted. */
export type Ending =
  | Extract<Outcome, { readonly kind: RefusalKind }>
  | { readonly kind: 'ok' }
  | { readonly kind: 'paginated' }
  | { readonly kind: 'retrieval-pending'; readonly deferredIds: readonly string[] }

/** What is sent, and how the compile ends; more than one solution are pages. */
export interface Overflowed {
  /** The first page, or what would not fit. */
  readonly solution: Solution
  /** Without one there is no pack. */
  readonly pages: readonly Solution[]
  readonly outcome: Ending
}

/**
 * Overflow: what the candidates need in forms that lose nothing exceeds what there is. What happens then is the policy's
 * choice; without overflow all policies do the same. Where the policy names steps of relief, those come first, and what
 * they leave may be all that is needed.
 */
export function overcome(problem: OverflowProblem): Overflowed {
  const relieved = problem.relieve()
  if (relieved === undefined) return strategies[problem.overflow](problem)
  if (relieved.shortage === undefined) return { solution: relieved, pages: [relieved], outcome: { kind: 'ok' } }
  const ended = strategies[problem.overflow](problem)
  const { relief } = relieved
  const solution = { ...ended.solution, ...(relief && { relief }) }
  const lost = ended.pages.flatMap((page) => problem.lost(page))
  if (lost.length === 0) return { ...ended, solution }
  const shortage = { kind: 'exhausted', reason: 'What never goes does not fit.', sections: [...new Set(lost)] } as const
  return { solution, pages: [], outcome: exhausted({ ...solution, shortage }) }
}

const strategies: Readonly<Record<OverflowPolicy, (problem: OverflowProblem) => Overflowed>> = {
  'cascade-compress': (problem) => cascade(problem, nobody),
  'fail-loud': failLoud,
  'truncate-lowest': truncateLowest,
  'defer-retrieval': deferRetrieval,
  'paginate': paginate,
}

const nobody: ReadonlyMap<number, ReasonCode> = new Map()

/** Sections share what there is. */
function cascade(problem: OverflowProblem, without: ReadonlyMap<number, ReasonCode>): Overflowed {
  const solution = problem.solve(without)
  if (solution.shortage === undefined) return { solution, pages: [solution], outcome: { kind: 'ok' } }
  return { solution, pages: [], outcome: refusalOf(solution) }
}

/** Nothing is sent where not everything can be. */
function failLoud(problem: OverflowProblem): Overflowed {
  const needed = problem.losslessTokens(nobody)
  const ended = cascade(problem, nobody)
  const { solution } = ended
  if (needed <= problem.availableTokens) return ended
  const neededTokens = Math.max(needed, solution.allocated.neededTokens)
  return { solution, pages: [], outcome: { ...exhausted(solution), neededTokens } }
}

/** Whole sections go, the least important first, until what is left fits; the last one is shortened. */
function truncateLowest(problem: OverflowProblem): Overflowed {
  const without = new Map<number, ReasonCode>()
  const lowestFirst = problem
    .solve(nobody)
    .allocated.plans.filter(({ mode, members }) => mode === 'elastic' && members.length > 0)
    .toSorted((a, b) => b.budget.tier - a.budget.tier || a.budget.weight - b.budget.weight)
  for (const plan of lowestFirst.slice(0, -1)) {
    if (problem.losslessTokens(without) <= problem.availableTokens) break
    for (const index of plan.members) if (problem.mayGo(index)) without.set(index, 'overflow')
  }
  return cascade(problem, without)
}

/** Evidence waits for another turn; pinned evidence does not. */
function deferRetrieval(problem: OverflowProblem): Overflowed {
  if (problem.losslessTokens(nobody) <= problem.availableTokens) return cascade(problem, nobody)
  const without = deferred(problem, problem.waitingEvidence())
  const ended = cascade(problem, without)
  if (ended.pages.length === 0 || without.size === 0) return ended
  return { ...ended, outcome: { kind: 'retrieval-pending', deferredIds: Array.from(without.keys(), problem.idOf) } }
}

/** Every piece of evidence stands on one page, and everything else on each; a conversation is divided by its exchanges. */
function paginate(problem: OverflowProblem): Overflowed {
  const first = cascade(problem, nobody)
  if (problem.pagesOf !== undefined) return paginateConversation(problem, problem.pagesOf, first)
  const paged = paginateEvidence(problem, first)
  if (paged.pages.length === 1 || problem.withoutNotes === undefined) return paged
  const open = problem.withoutNotes()
  const roomier = paginateEvidence(open, cascade(open, nobody))
  // What stands on one page has notes after all, unless they are what it has no room for.
  return roomier.pages.length === 1 ? paged : roomier
}

function paginateEvidence(problem: OverflowProblem, first: Overflowed): Overflowed {
  const evidence = problem.waitingEvidence()
  const pages = [...first.pages]
  const shown = new Set(evidence.filter((index) => first.solution.forms[index] !== undefined))
  while (pages.length > 0) {
    const waiting = evidence.filter((index) => !shown.has(index))
    if (waiting.length === 0) break
    const [page] = cascade(problem, deferred(problem, [...shown])).pages
    const added = waiting.filter((index) => page?.forms[index] !== undefined)
    if (page === undefined || added.length === 0)
      return { solution: first.solution, pages: [], outcome: splitRequired(first.solution, tooLarge) }
    for (const index of added) shown.add(index)
    pages.push(page)
  }
  return pages.length <= 1 ? first : { ...first, pages, outcome: { kind: 'paginated' } }
}

/** Nothing of a conversation that has to be divided is shortened. */
function paginateConversation(
  { losslessTokens, availableTokens }: OverflowProblem,
  pagesOf: NonNullable<OverflowProblem['pagesOf']>,
  whole: Overflowed,
): Overflowed {
  if (losslessTokens(nobody) <= availableTokens) return whole
  const { solution } = whole
  const paged = pagesOf(solution)
  if (paged.kind === 'pages') {
    const [first] = paged.pages
    if (first === undefined || paged.pages.length === 1) return whole
    return { solution: first, pages: paged.pages, outcome: { kind: 'paginated' } }
  }
  const { neededTokens, what } = paged
  const refusal = what === 'unit' ? splitRequired(solution, exchangeTooLarge) : exhausted(solution)
  return { solution, pages: [], outcome: { ...refusal, neededTokens } }
}

const exchangeTooLarge =
  'An exchange is larger than what a page leaves beside the beginning and the end of the conversation.'

const tooLarge = 'A piece of evidence is larger than what a page leaves for evidence.'

function deferred({ mayGo }: OverflowProblem, indexes: readonly number[]): ReadonlyMap<number, ReasonCode> {
  return new Map(indexes.filter(mayGo).map((index) => [index, 'deferred']))
}

function refusalOf(solution: Solution): Overflowed['outcome'] {
  const { shortage } = solution
  return shortage?.kind === 'split' ? splitRequired(solution, shortage.reason) : exhausted(solution)
}

function exhausted({ shortage, allocated, conversation }: Solution) {
  const { availableTokens, neededTokens, plans } = allocated
  const shown = conversation?.renditions.reduce((sum, { tokens }) => sum + tokens, 0) ?? 0
  return {
    kind: 'budget-exhausted' as const,
    neededTokens: Math.max(neededTokens, shown),
    availableTokens: Math.max(0, availableTokens),
    sections: shortage?.sections ?? plans.filter(isStanding).map(({ section }) => section),
  }
}

function isStanding({ mode, demand, pinnedTokens }: SectionPlan): boolean {
  return (mode === 'fixed' ? demand : pinnedTokens) > 0
}

function splitRequired({ allocated: { neededTokens, availableTokens } }: Solution, reason: string) {
  return { kind: 'split-required' as const, neededTokens, availableTokens: Math.max(0, availableTokens), reason }
}
