import type { Budget, Section, SectionBudget } from '../../core/index.ts'
import type { Candidate } from '../candidate.ts'

/** What one section's candidates ask for. */
export interface SectionPlan {
  readonly section: Section
  readonly budget: SectionBudget
  /** Indexes of the candidates, in order. */
  readonly members: readonly number[]
  /** Tokens in full. */
  readonly demand: number
  /** Tokens of what must stand whatever happens. */
  readonly pinnedTokens: number
  /** `fixed` sections stand whole; `selected` ones are chosen within their maximum; the others share what is left. */
  readonly mode: 'fixed' | 'selected' | 'elastic'
}

export interface PlanOptions {
  readonly budget: Budget
  readonly candidates: readonly Candidate[]
  /** Per candidate. */
  readonly fullTokens: Float64Array
  /** Per candidate: 1 where it stands whole whatever happens. */
  readonly pinned: Uint8Array
  /** Indexes of candidates that may not be shown, in any number of maps. */
  readonly without: readonly ReadonlyMap<number, unknown>[]
}

/** Sorts the candidates into their sections and adds up what each asks for (P-010, B-47). */
export function planSections({ budget, candidates, fullTokens, pinned, without }: PlanOptions): readonly SectionPlan[] {
  const drafts = new Map<Section, Draft>(
    budget.sections.map(({ section }) => [section, { members: [], demand: 0, pinnedTokens: 0 }]),
  )
  const excluded = without.filter(({ size }) => size > 0)
  for (const [index, { item }] of candidates.entries()) {
    if (excluded.length > 0 && excluded.some((map) => map.has(index))) continue
    const draft = drafts.get(item.section)
    if (draft === undefined) continue
    const tokens = fullTokens[index] ?? 0
    draft.members.push(index)
    draft.demand += tokens
    if (pinned[index] === 1) draft.pinnedTokens += tokens
  }
  return budget.sections.map((section) => {
    const { members, demand, pinnedTokens } = drafts.get(section.section) ?? emptyDraft
    return { section: section.section, budget: section, members, demand, pinnedTokens, mode: modeOf(section) }
  })
}

interface Draft {
  readonly members: number[]
  demand: number
  pinnedTokens: number
}

const emptyDraft: Draft = { members: [], demand: 0, pinnedTokens: 0 }

function modeOf({ section, tier }: SectionBudget): SectionPlan['mode'] {
  if (section === 'tools') return 'selected'
  return tier <= 1 ? 'fixed' : 'elastic'
}
