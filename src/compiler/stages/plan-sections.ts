import type { Budget, Section, SectionBudget } from '../../core/index.ts'

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
  /** Indexes of the candidates that may be shown. */
  readonly kept: readonly number[]
  sectionOf(index: number): Section
  tokensOf(index: number): number
  isPinned(index: number): boolean
}

/** Sorts the candidates into their sections and adds up what each asks for (P-010, B-47). */
export function planSections(options: PlanOptions): readonly SectionPlan[] {
  const { budget, kept } = options
  const members = new Map<Section, number[]>(budget.sections.map(({ section }) => [section, []]))
  for (const index of kept) members.get(options.sectionOf(index))?.push(index)
  return budget.sections.map((section) => {
    const own = members.get(section.section) ?? []
    let demand = 0
    let pinnedTokens = 0
    for (const index of own) {
      const tokens = options.tokensOf(index)
      demand += tokens
      if (options.isPinned(index)) pinnedTokens += tokens
    }
    return { section: section.section, budget: section, members: own, demand, pinnedTokens, mode: modeOf(section) }
  })
}

function modeOf({ section, tier }: SectionBudget): SectionPlan['mode'] {
  if (section === 'tools') return 'selected'
  return tier <= 1 ? 'fixed' : 'elastic'
}
