import type { Budget, Section, SectionBudget } from '../../core/index.ts'

/** What one section's candidates ask for. */
export interface SectionPlan {
  readonly section: Section
  readonly budget: SectionBudget
  /** Indexes of the candidates, in order. */
  readonly members: readonly number[]
  /** Tokens as its items stand. */
  readonly demand: number
  /** Tokens of what must stand whatever happens. */
  readonly pinnedTokens: number
  /** `fixed` sections stand whole; `selected` ones are chosen within their maximum; the others share what is left. */
  readonly mode: 'fixed' | 'selected' | 'elastic'
}

export interface PlanOptions {
  readonly budget: Budget
  readonly members: ReadonlyMap<Section, readonly number[]>
  /** What each item takes as it stands: whole, or as the last request showed it. */
  readonly tokens: ArrayLike<number>
  /** 1 where an item stands whole whatever happens. */
  readonly pinned: Uint8Array
  /** Indexes of candidates that may not be shown, in any number of maps. */
  readonly without: readonly ReadonlyMap<number, unknown>[]
}

/** What the candidates of each section that has any ask for. */
export function planSections({ budget, members, tokens, pinned, without }: PlanOptions): readonly SectionPlan[] {
  const excluded = without.filter(({ size }) => size > 0)
  const plans: SectionPlan[] = []
  for (const section of budget.sections) {
    const all = members.get(section.section)
    if (all === undefined) continue
    const left = excluded.length === 0 ? all : all.filter((index) => !excluded.some((map) => map.has(index)))
    let demand = 0
    let pinnedTokens = 0
    for (const index of left) {
      const own = tokens[index] ?? 0
      demand += own
      if (pinned[index] === 1) pinnedTokens += own
    }
    plans.push({
      section: section.section,
      budget: section,
      members: left,
      demand,
      pinnedTokens,
      mode: modeOf(section),
    })
  }
  return plans
}

function modeOf({ section, tier }: SectionBudget): SectionPlan['mode'] {
  if (section === 'tools') return 'selected'
  return tier <= 1 ? 'fixed' : 'elastic'
}
