import type { EpochPolicy, Rendition } from '../../core/index.ts'
import { chooseFromPlan, leftOut } from '../solvers/choose-rungs.ts'
import type { RungPlan } from '../solvers/rung-plan.ts'
import { rungPlan } from '../solvers/rung-plan.ts'
import type { PlanContext } from './plan-context.ts'
import { allowed } from './propose.ts'
import type { Rendered } from './render-from.ts'
import { knownElsewhere } from './known-elsewhere.ts'

/** Tokens: not below `low` where that can be helped, not above `high`. */
export interface Band {
  readonly low: number
  readonly high: number
}

/** Shorter renditions, by index. */
export type Choice = ReadonlyMap<number, Rendition>

export interface LossProblem {
  readonly context: PlanContext
  readonly rendered: Rendered
  /** Indexes that may be shortened, in order. */
  readonly members: readonly number[]
  readonly policy: EpochPolicy
  /** Tokens of what the band is about, as it is shown. */
  readonly usedTokens: number
  readonly band: Band
  /** Whether results are shown by head, tail and failures, and calls by first lines. */
  readonly outline?: boolean
  /** Whether it may lose something where nothing follows handles: nothing else would fit. */
  readonly mustFit?: boolean
  /** Whether a rendition may be chosen; all may where absent. */
  allows?(rendition: Rendition): boolean
}

/** Budgets that are tried between the ends of a band. */
const tries = 8

/**
 * The shorter renditions that bring what is shown into the band for the least loss: the lowest budget within the band
 * whose best choice does not fall below it, else the best choice for the whole band. Where even the shortest forms are too
 * long, those.
 */
export function leastLoss(problem: LossProblem): Choice {
  const { members, rendered, usedTokens, band } = problem
  const ways = waysOf(problem)
  const fixed = usedTokens - members.reduce((sum, index) => sum + (rendered.renditions[index]?.tokens ?? 0), 0)
  const least = ways.reduce((sum, { base }) => sum + base.tokens, fixed)
  const plan = planOf(ways)
  let last = choose(plan, ways, 0)
  if (least > band.high) return last
  for (let round = 1; round <= tries; round += 1) {
    const budget = band.low + ((band.high - band.low) * round) / tries
    if (budget < least) continue
    last = choose(plan, ways, Math.floor(budget - least))
    const left = usedTokens - savedBy(last, rendered)
    if (left >= band.low) return last
  }
  return last
}

function savedBy(choice: Choice, { renditions }: Rendered): number {
  let saved = 0
  for (const [index, { tokens }] of choice) saved += (renditions[index]?.tokens ?? 0) - tokens
  return saved
}

/** How one item may be shown from now on, dearest first; `base` is the cheapest, which costs nothing in the plan. */
interface Ways {
  readonly index: number
  readonly forms: readonly Rendition[]
  readonly base: Rendition
  readonly weight: number
}

/** What is hidden once stays hidden, so only forms cheaper than the present one are ways; newer items keep their names. */
function waysOf(problem: LossProblem): readonly Ways[] {
  const { context, rendered, members, policy, usedTokens, band, allows } = problem
  const { items, tokens, rungsOf } = context.options
  const lowestRung = problem.mustFit === true ? 'pointer' : policy.lowestRung
  const { renditions } = rendered
  const known = knownElsewhere({ ...context.options, renditions, members, policy })
  return members.toReversed().flatMap((index): readonly Ways[] => {
    const shown = renditions[index]
    const fullTokens = tokens[index] ?? 0
    if (items[index] === undefined || shown === undefined) return []
    const excess = usedTokens - (band.low + band.high) / 2
    const shares = sharesOf((shown.tokens - excess) / Math.max(1, fullTokens))
    const mayLose = problem.mustFit === true || canHide(context, index)
    const outline = problem.outline === true || (problem.mustFit === true && !context.input.rehydration)
    const told = { ...known.of(index), shares, ...(!mayLose && { mayLose }), ...(outline && { outline }) }
    const own = rungsOf(index, told)
    const offered = isFarApart(own) ? [...own, ...between(own, rungsOf(index, { ...told, outline: true }))] : own
    const lesser = allowed(offered, { fullTokens, lowestRung }).filter(
      (form) => form.tokens < shown.tokens && (mayLose || form.rung === 'lossless') && allows?.(form) !== false,
    )
    const forms = [shown, ...lesser.toSorted((a, b) => b.tokens - a.tokens)]
    const base = forms.at(-1) ?? shown
    known.add(index, base)
    const { type } = items[index].media ?? {}
    const utility = (type && context.input.policy.media?.utility?.[type]) ?? 1
    return [{ index, forms, base, weight: (utility * Math.max(1, fullTokens)) / (1 + items.length - index) }]
  })
}

/** Where the lines with names of a long result are many, its next form is one line: a much larger step than most requests need. */
const farApart = 600

function isFarApart(forms: readonly Rendition[]): boolean {
  const [line, trimmed] = [forms.find(({ rung }) => rung === 'line'), forms.findLast(({ rung }) => rung === 'trimmed')]
  return line !== undefined && trimmed !== undefined && trimmed.tokens - line.tokens > farApart
}

/** Outlines that are shorter than any trimmed form. */
function between(forms: readonly Rendition[], outlines: readonly Rendition[]): readonly Rendition[] {
  const least = forms.findLast(({ rung }) => rung === 'trimmed')?.tokens ?? 0
  return outlines.filter(({ rung, tokens }) => rung === 'trimmed' && tokens < least)
}

/** Shares of an item at which more forms are asked for: a little may do, most of all that which alone makes enough room. */
function sharesOf(enough: number): readonly number[] {
  const shares = enough > smallestShare ? [...usualShares, Math.min(largestShare, enough)] : usualShares
  return shares.toSorted((a, b) => b - a)
}

const usualShares = [0.8, 0.6, 0.4, 0.2] as const
const smallestShare = 0.05
const largestShare = 0.9

/** A schema that explains less accepts the same calls, so nothing has to be brought back. */
function canHide({ input }: PlanContext, index: number): boolean {
  return input.rehydration || input.items[index]?.kind === 'tool-schema'
}

function planOf(ways: readonly Ways[]): RungPlan {
  return rungPlan(
    ways.map(({ forms, base, weight }) => ({
      weight,
      points: forms.slice(0, -1).map(({ tokens, fidelity }) => ({
        tokens: tokens - base.tokens,
        value: Math.max(0, fidelity - base.fidelity),
      })),
    })),
  )
}

function choose(plan: RungPlan, ways: readonly Ways[], budgetTokens: number): Choice {
  const { chosen } = chooseFromPlan(plan, budgetTokens)
  const choice = new Map<number, Rendition>()
  for (const [place, { index, forms, base }] of ways.entries()) {
    const point = chosen[place] ?? leftOut
    const form = point === leftOut ? base : forms[point]
    if (form !== undefined && form !== forms[0]) choice.set(index, form)
  }
  return choice
}
