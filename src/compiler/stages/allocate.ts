import type { Section } from '../../core/index.ts'
import { allocate } from '../solvers/allocate.ts'
import { availableTokens } from '../budget/resolve-budget.ts'
import type { SectionAllocation, SectionDemand } from '../solvers/allocate.ts'
import { planSections } from './plan-sections.ts'
import type { PlanOptions, SectionPlan } from './plan-sections.ts'

export interface AllocateInput extends PlanOptions {
  /** What no item owns. */
  readonly frameTokens: number
  /** 1 for items that are chosen anew; absent where all are. */
  readonly free?: Uint8Array | undefined
  /** Up to this many tokens free items may bring a request. */
  readonly roomTokens?: number
  /** Sections whose maximum the request itself names: it holds also where there is room to spare. */
  readonly asked: ReadonlySet<Section>
  /** What all tools take in their shortest forms. */
  leastToolTokens(indexes: readonly number[]): number
}

/** Why what must stand does not fit. */
export interface Shortage {
  readonly kind: 'exhausted' | 'split'
  readonly reason: string
  readonly sections: readonly Section[]
}

export interface Allocated {
  readonly plans: readonly SectionPlan[]
  readonly granted: ReadonlyMap<Section, number>
  /** Per section that shares or is selected, the most tokens that are worth their price there. */
  readonly wanted: ReadonlyMap<Section, number>
  readonly shadowPrice?: number
  /** For everything that is sent besides framing, the frame included. */
  readonly availableTokens: number
  /** What fixed tiers, floors and pinned items need together, the frame included. */
  readonly neededTokens: number
  readonly shortage?: Shortage
}

/**
 * Fixed tiers take what they need; tools, at least their shortest forms and then up to their share; the elastic sections
 * share the rest, where bytes that a provider has cached stand before any that are new. What no section wants goes
 * to tools that are not whole yet.
 */
export function allocateSections(input: AllocateInput): Allocated {
  const plans = planSections(input)
  const available = availableTokens(input.budget)
  const pool = available - input.frameTokens - sumOf(plans, isFixed, ({ demand }) => demand)
  // A section that asks for nothing gets nothing and takes nothing from the others.
  const elastic = plans.filter(({ mode, demand }) => mode === 'elastic' && demand > 0)
  const floors = sumOf(elastic, anyPlan, floorOf)
  const tools = plans.find(({ mode }) => mode === 'selected')
  const toolTokens = tools === undefined ? 0 : toolGrant(input, tools, pool - floors)
  const demands = demandsOf(input, elastic, pool - toolTokens)
  const solved = allocate({
    sections: demands,
    elasticTokens: elasticTokens(input, demands, pool - toolTokens),
    costSensitivity: input.budget.costSensitivity,
  })
  const granted = new Map<Section, number>()
  for (const { section, demand } of plans.filter(isFixed)) granted.set(section, demand)
  for (const { section, tokens } of solved.allocations) granted.set(section, tokens)
  if (tools !== undefined) granted.set(tools.section, toolTokens + spareFor(input, tools, { toolTokens, ...solved }))
  const shortage = shortageOf(input, plans, pool - toolTokens)
  return {
    plans,
    granted,
    wanted: wantedOf(input, solved.allocations, tools),
    ...(solved.shadowPrice === undefined ? {} : { shadowPrice: solved.shadowPrice }),
    availableTokens: available,
    neededTokens: available - pool + (tools?.pinnedTokens ?? 0) + sumOf(elastic, anyPlan, floorOf),
    ...(shortage === undefined ? {} : { shortage }),
  }
}

function sumOf(
  plans: readonly SectionPlan[],
  counts: (plan: SectionPlan) => boolean,
  tokensOf: (plan: SectionPlan) => number,
): number {
  return plans.reduce((sum, plan) => (counts(plan) ? sum + tokensOf(plan) : sum), 0)
}

const anyPlan = (): boolean => true
const isFixed = ({ mode }: SectionPlan): boolean => mode === 'fixed'

/** What a section must have: what is pinned in it, and its minimum as far as it is asked for. */
function floorOf({ budget, demand, pinnedTokens }: SectionPlan): number {
  return Math.max(pinnedTokens, Math.min(budget.min, demand))
}

/**
 * Tools are shortened, all of them, before any is left out, and only for want of room. Those of a conversation
 * stand at its front and are not touched.
 */
function toolGrant({ asked, free, leastToolTokens }: AllocateInput, plan: SectionPlan, spareTokens: number): number {
  const { budget, members, pinnedTokens } = plan
  const most = mostOf(plan, asked)
  const share = free === undefined ? Math.min(most, budget.max) : most
  const wanted = share >= most ? share : Math.min(most, Math.max(share, leastToolTokens(members)))
  return Math.max(Math.min(pinnedTokens, most), Math.min(wanted, Math.max(0, spareTokens)))
}

function wantedOf(
  { asked }: AllocateInput,
  allocations: readonly SectionAllocation[],
  tools: SectionPlan | undefined,
): ReadonlyMap<Section, number> {
  const wanted = new Map(allocations.map((allocation) => [allocation.section, allocation.wanted]))
  if (tools !== undefined) wanted.set(tools.section, mostOf(tools, asked))
  return wanted
}

/** A maximum that the request names is a promise; a policy's share gives way where there is room to spare. */
function mostOf({ section, demand, budget }: SectionPlan, asked: ReadonlySet<Section>): number {
  return asked.has(section) ? Math.min(demand, budget.max) : demand
}

function spareFor(
  { asked }: AllocateInput,
  plan: SectionPlan,
  { toolTokens, leftover, fits }: { readonly toolTokens: number; readonly leftover: number; readonly fits: boolean },
): number {
  return fits ? Math.max(0, Math.min(leftover, mostOf(plan, asked) - toolTokens)) : 0
}

/**
 * What was sent before has its price in the provider's cache, not here, and stands before what is new. Of it only the history
 * can be shortened, so the history is granted last.
 */
function demandsOf(input: AllocateInput, elastic: readonly SectionPlan[], pool: number): readonly SectionDemand[] {
  const { free, tokens } = input
  const standing = elastic.map(({ members }) =>
    free === undefined ? 0 : members.reduce((sum, at) => (free[at] === 1 ? sum : sum + (tokens[at] ?? 0)), 0),
  )
  const mins = elastic.map((plan, place) =>
    Math.max(floorOf(plan), plan.section === 'history' ? 0 : (standing[place] ?? 0)),
  )
  const left = Math.max(0, pool - mins.reduce((sum, min) => sum + min, 0))
  return elastic.map((plan, place): SectionDemand => {
    const { section, budget, demand, pinnedTokens } = plan
    const own = standing[place] ?? 0
    const min = mins[place] ?? 0
    const mandatory = pinnedTokens + own > 0
    if (own === 0) return { ...budget, min, demand, mandatory }
    const most = section === 'history' ? budget.max : Math.max(budget.max, own)
    const held = section === 'history' ? Math.min(own, most, min + left) : min
    return { ...budget, cost: 0, min: Math.max(min, held), max: most, demand, mandatory }
  })
}

/** New items may fill a conversation up to the pressure at which it would have to be shortened for them, and no further. */
function elasticTokens({ roomTokens, budget }: AllocateInput, demands: readonly SectionDemand[], pool: number): number {
  if (roomTokens === undefined) return Math.max(0, pool)
  const standing = demands.reduce((sum, { min }) => sum + min, 0)
  return Math.max(0, Math.min(pool, Math.max(standing, pool - (availableTokens(budget) - roomTokens))))
}

/** Fixed tiers that exceed the window exhaust it; where minimums, maximums or pins do, the step can be split. */
function shortageOf(input: AllocateInput, plans: readonly SectionPlan[], pool: number): Shortage | undefined {
  const standing = plans.filter(({ mode, demand, pinnedTokens }) => (mode === 'fixed' ? demand : pinnedTokens) > 0)
  if (pool < 0)
    return { kind: 'exhausted', reason: 'What must stand is larger than the window.', sections: names(standing) }
  const over = plans.find(
    (plan) => mustStand(plan) > plan.budget.max && (plan.mode !== 'selected' || input.asked.has('tools')),
  )
  if (over !== undefined) {
    const reason = `Section ${over.section} must show ${mustStand(over)} tokens and may take ${over.budget.max}.`
    return { kind: 'split', reason, sections: [over.section] }
  }
  const many = plans.find(({ members, budget: { maxItems = Infinity } }) => members.length > maxItems)
  if (many !== undefined) {
    const reason = `Section ${many.section} must show ${many.members.length} items and may show ${many.budget.maxItems}.`
    return { kind: 'split', reason, sections: [many.section] }
  }
  const floors = plans.filter((plan) => plan.mode === 'elastic' && floorOf(plan) > 0)
  if (sumOf(floors, anyPlan, floorOf) <= pool) return undefined
  const reason = `Pinned items and minimums do not fit beside the fixed tiers: ${names(floors).join(', ')}.`
  return { kind: 'split', reason, sections: names(floors) }
}

function mustStand({ mode, demand, pinnedTokens }: SectionPlan): number {
  return mode === 'fixed' ? demand : pinnedTokens
}

function names(plans: readonly SectionPlan[]): readonly Section[] {
  return plans.map(({ section }) => section)
}
