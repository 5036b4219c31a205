import type { Section, SectionBudget } from '../../core/index.ts'
import { compareCodeUnits } from '../../core/index.ts'
import type { PricedSection } from './shadow-price.ts'
import { shadowPrice, tokensAtPrice } from './shadow-price.ts'
import { tournament } from './tournament.ts'
import type { UtilityCurve } from './utility.ts'
import { gainOfNextToken, utilityOf } from './utility.ts'

/** A section and what its candidates would take in full; nothing is granted beyond that. */
export interface SectionDemand extends SectionBudget {
  readonly demand: number
  /** Has its minimum whatever that is worth. */
  readonly mandatory?: boolean
}

export interface AllocationProblem {
  readonly sections: readonly SectionDemand[]
  /** Window minus reserve minus fixed tiers. */
  readonly elasticTokens: number
  /** Cost sensitivity mu: what is above a minimum pays it; a minimum is promised and stands at any price. */
  readonly costSensitivity: number
}

export interface SectionAllocation {
  readonly section: Section
  readonly tokens: number
  /** Which bound the section stands at; `none` is strictly between, `excluded` is worth nothing at any size. */
  readonly bound: 'excluded' | 'min' | 'none' | 'max'
  /** The most tokens that are all worth their price here, however scarce they are elsewhere. */
  readonly wanted: number
}

export interface Allocation {
  /** In the order of the problem. */
  readonly allocations: readonly SectionAllocation[]
  /** Marginal utility of one more token; 0 where no section wants one. Absent where the minimums do not fit. */
  readonly shadowPrice?: number
  /** Tokens that no section wants: sum of allocations + leftover = elasticTokens, exactly. */
  readonly leftover: number
  /** False when the minimums together exceed the elastic budget; then only the first by priority have theirs. */
  readonly fits: boolean
  /** What the minimums need together. */
  readonly neededTokens: number
}

/** A section with its bounds made whole and cut down to real demand. */
interface Bounded {
  readonly budget: SectionBudget
  readonly priced: PricedSection
  readonly min: number
  readonly max: number
  readonly wanted: number
  tokens: number
}

/**
 * Shares the elastic budget so that the sum of the sections' net utilities is the largest that their minimums and
 * maximums allow, in whole tokens. A larger budget never takes a token from a section, and
 * a higher cost sensitivity never gives one to the section with the dearest tokens.
 *
 * Why not: which sections take part, and whether their minimums fit, does not depend on the price. What is above the
 * minimums are single tokens, each worth its gain less its price; the answer is as many of the best as there is room
 * for, as long as they are worth anything. Raising the price lowers no token further than those of the dearest section,
 * so none of them rises in that order.
 */
export function allocate(problem: AllocationProblem): Allocation {
  const { costSensitivity, elasticTokens } = problem
  const bounded = problem.sections.map((budget) => bound(budget, costSensitivity))
  const included = bounded.filter((section) => section.max > 0).toSorted(byPriority)
  const neededTokens = included.reduce((sum, section) => sum + section.min, 0)
  if (neededTokens > elasticTokens) return minimumsOnly({ bounded, included, elasticTokens, neededTokens })

  const price = shadowPrice(
    included.map((section) => section.priced),
    elasticTokens - neededTokens,
  )
  for (const section of included) section.tokens = section.min + Math.floor(tokensAtPrice(section.priced, price))
  const leftover = settleWholeTokens(included, elasticTokens)
  return { allocations: bounded.map(report), shadowPrice: price, leftover, fits: true, neededTokens }
}

/** A section that is worth nothing even where tokens are free gets no room at all; budget and price have no say. */
function bound(budget: SectionDemand, costSensitivity: number): Bounded {
  const max = Math.max(0, Math.floor(Math.min(budget.max, budget.demand)))
  const min = Math.max(0, Math.min(Math.ceil(budget.min), max))
  const priced = {
    strength: budget.weight * budget.alpha,
    beta: budget.beta,
    span: max - min,
    cost: costSensitivity * budget.cost,
  }
  const curve = { ...budget, min, max }
  const wanted = wantedOf({ curve, priced, max, costSensitivity })
  if (max > 0 && (utilityOf(curve, max, 0) > 0 || budget.mandatory === true))
    return { budget: curve, priced, min, max, wanted, tokens: 0 }
  const unpriced = priced.cost === 0 ? wanted : 0
  return { budget, priced: { ...priced, span: 0 }, min: 0, max: 0, wanted: unpriced, tokens: 0 }
}

function wantedOf(section: {
  readonly curve: UtilityCurve
  readonly priced: PricedSection
  readonly max: number
  readonly costSensitivity: number
}): number {
  const { curve, priced, max, costSensitivity } = section
  if (priced.cost === 0) return max
  const near = curve.min + Math.floor(tokensAtPrice(priced, 0))
  return near < max && gainOfNextToken(curve, near, costSensitivity) >= 0 ? near + 1 : near
}

/** Lower tiers first, then heavier sections, then by name: a total order, whatever order they came in. */
function byPriority(a: Bounded, b: Bounded): number {
  return (
    a.budget.tier - b.budget.tier ||
    b.budget.weight - a.budget.weight ||
    compareCodeUnits(a.budget.section, b.budget.section)
  )
}

function minimumsOnly(problem: {
  readonly bounded: readonly Bounded[]
  readonly included: readonly Bounded[]
  readonly elasticTokens: number
  readonly neededTokens: number
}): Allocation {
  let left = Math.max(0, problem.elasticTokens)
  for (const section of problem.included) {
    if (section.min > left) break
    section.tokens = section.min
    left -= section.min
  }
  const allocations = problem.bounded.map(report)
  return { allocations, leftover: left, fits: false, neededTokens: problem.neededTokens }
}

/**
 * From rounded-down allocations to the best whole ones: grant what is left by largest gain, then move tokens while a
 * move gains. Utilities are concave, so no better allocation exists when no move gains.
 */
function settleWholeTokens(sections: readonly Bounded[], elasticTokens: number): number {
  let left = elasticTokens - sections.reduce((sum, section) => sum + section.tokens, 0)
  const receivers = tournament(sections.map(nextToken), isBetter)
  const givers = tournament(sections.map(lastToken), (a, b) => isBetter(b, a))
  const move = ({ section, index }: Step, tokens: 1 | -1): void => {
    section.tokens += tokens
    receivers.replace(index, nextToken(section, index))
    givers.replace(index, lastToken(section, index))
  }
  for (;;) {
    const receiver = receivers.best()
    const giver = givers.best()
    if (left < 0 && giver !== undefined) {
      move(giver, -1)
      left += 1
    } else if (left > 0 && receiver !== undefined && receiver.gain > 0) {
      move(receiver, 1)
      left -= 1
    } else if (receiver !== undefined && giver !== undefined && isBetter(receiver, giver)) {
      move(giver, -1)
      move(receiver, 1)
    } else if (giver !== undefined && giver.gain <= 0) {
      move(giver, -1)
      left += 1
    } else return left
  }
}

/** One token of a section: the next one it would get, or the last one it has. */
interface Step {
  readonly section: Bounded
  readonly index: number
  /** What the token adds, its price taken off. */
  readonly gain: number
  /** What it adds before that. */
  readonly gross: number
}

/**
 * A total order of all tokens, which makes the best allocation unique and nested in the budget. Of equal gains the
 * cheaper one is better; gains that only rounding made equal keep the order that they have without a price.
 */
function isBetter(a: Step, b: Step): boolean {
  if (a.gain !== b.gain) return a.gain > b.gain
  if (a.section.priced.cost !== b.section.priced.cost) return a.section.priced.cost < b.section.priced.cost
  return a.gross > b.gross || (a.gross === b.gross && a.index < b.index)
}

function stepAt(section: Bounded, index: number, tokens: number): Step {
  const gross = gainOfNextToken(section.budget, tokens, 0)
  return { section, index, gain: gross - section.priced.cost, gross }
}

/** What a section would get next; nothing where it has all that it may have. */
function nextToken(section: Bounded, index: number): Step | undefined {
  return section.tokens < section.max ? stepAt(section, index, section.tokens) : undefined
}

/** What a section would give first; nothing where it has no more than it must. */
function lastToken(section: Bounded, index: number): Step | undefined {
  return section.tokens > section.min ? stepAt(section, index, section.tokens - 1) : undefined
}

function report({ budget, min, max, wanted, tokens }: Bounded): SectionAllocation {
  const stands = max === 0 ? 'excluded' : tokens >= max ? 'max' : tokens <= min ? 'min' : 'none'
  return { section: budget.section, tokens, bound: stands, wanted }
}
