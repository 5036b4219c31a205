import type { Section } from '../../core/index.ts'
import { allocate } from '../solvers/allocate.ts'
import type { SectionPlan } from './plan-sections.ts'

export interface SectionTokens {
  readonly tokens: ReadonlyMap<Section, number>
  /** Per elastic section, the most tokens that are worth their price there. */
  readonly wanted: ReadonlyMap<Section, number>
  readonly shadowPrice?: number
  /** True where fixed tiers, floors and pinned items fit together. */
  readonly fits: boolean
  /** What fixed tiers, floors and pinned items need together. */
  readonly neededTokens: number
}

export interface AllocateOptions {
  readonly plans: readonly SectionPlan[]
  /** Tokens for all sections together. */
  readonly availableTokens: number
  readonly costSensitivity: number
  /** Whether floors are given up, down to what is pinned. */
  readonly relaxed?: boolean
}

/** Fixed tiers take what they need, tools up to their own maximum, and the elastic sections share the rest. */
export function allocateSections(options: AllocateOptions): SectionTokens {
  const { plans, availableTokens, costSensitivity, relaxed = false } = options
  const tokens = new Map<Section, number>()
  let fixed = 0
  for (const plan of plans.filter(({ mode }) => mode !== 'elastic')) {
    const most =
      plan.mode === 'fixed' ? plan.demand : Math.min(plan.demand, Math.max(plan.budget.max, plan.pinnedTokens))
    tokens.set(plan.section, most)
    fixed += most
  }
  const elastic = plans.filter(({ mode }) => mode === 'elastic')
  const floors = elastic.map((plan) => floorOf(plan, relaxed))
  const solved = allocate({
    sections: elastic.map((plan, index) => ({
      ...plan.budget,
      min: floors[index] ?? 0,
      demand: plan.demand,
      mandatory: plan.pinnedTokens > 0,
    })),
    elasticTokens: Math.max(0, availableTokens - fixed),
    costSensitivity,
  })
  for (const { section, tokens: granted } of solved.allocations) tokens.set(section, granted)
  const wanted = new Map(solved.allocations.map((allocation) => [allocation.section, allocation.wanted]))
  const overMaximum = plans.some(({ mode, pinnedTokens, budget }) => mode !== 'fixed' && pinnedTokens > budget.max)
  const beyond = elastic.reduce((sum, { pinnedTokens, budget }) => sum + Math.max(0, pinnedTokens - budget.max), 0)
  return {
    tokens,
    wanted,
    ...(solved.shadowPrice === undefined ? {} : { shadowPrice: solved.shadowPrice }),
    fits: solved.fits && fixed <= availableTokens && !overMaximum,
    neededTokens: fixed + solved.neededTokens + beyond,
  }
}

function floorOf({ budget, demand, pinnedTokens }: SectionPlan, relaxed: boolean): number {
  return Math.max(pinnedTokens, relaxed ? 0 : Math.min(budget.min, demand))
}
