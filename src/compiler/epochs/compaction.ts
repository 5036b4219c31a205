import type { BriefBudgets, CompactionCause, CompactionPolicy } from '../../core/index.ts'
import { briefOf } from '../brief/brief.ts'
import { epochRecord, leastCacheable } from './choose-epoch.ts'
import type { Chosen } from './choose-epoch.ts'
import { inEffect } from './in-effect.ts'
import type { PlanContext } from './plan-context.ts'
import { rerender } from './plan-context.ts'
import type { Proposal } from './propose.ts'
import type { Rendered } from './render-from.ts'
import { standing } from './standing.ts'
import type { Standing } from './standing.ts'
import { stepNote } from './step-note.ts'
import { stepsIn, stepsThatMayGo } from './whole-steps.ts'

export interface Compaction {
  /** Absent where nothing is compacted. */
  readonly chosen?: Chosen
  /** What holding on has cost since the last compaction, in input-token prices; undefined where the policy compacts nothing. */
  readonly rent?: number
  /** Of what is compacted: why, and what holding on had cost until now. */
  readonly cause?: CompactionCause
  readonly paidRent?: number
}

/**
 * Old steps become a brief: where the cache is cold, where the window is full, or once holding on to them has cost what writing the rest anew
 * costs. Each request adds to that rent what the steps that could go cost in it.
 */
export function chooseCompaction(context: PlanContext, held: Rendered): Compaction {
  const { input, room } = context
  const { compaction: policy, lowestRung } = input.policy.epochs
  if (policy === undefined || lowestRung === 'lossless' || !input.rehydration) return {}
  if (input.ledger?.layout !== 'messages') return { rent: 0 }
  const figures = standing(context, held)
  const before = input.ledger.rent ?? 0
  const isFull = figures.totalTokens > input.policy.pressure.evict * room.limitTokens
  const steps = newestSteps(context, held, policy)
  const due = dueOf({ context, held, policy, figures }, steps)
  const rent = before + (due?.rent ?? 0)
  if (isFull) {
    const fitting = [steps, ...fewerSteps.filter((fewer) => fewer < steps)]
    for (const [at, newest] of fitting.entries()) {
      const made = compacted({ context, held, policy, figures }, newest)
      const isLast = at === fitting.length - 1
      const fits =
        made !== undefined && figures.totalTokens - made.real.saving <= input.policy.pressure.evict * room.limitTokens
      if (made !== undefined && (fits || isLast))
        return { chosen: begun(context, figures, made), rent: 0, cause: 'full-window', paidRent: rent }
    }
    return { rent }
  }
  if (due === undefined) return { rent }
  const isDue = figures.free || rent * policy.patience >= due.price
  if (!isDue || (!figures.free && !mayLend(due.cost, policy, figures))) return { rent }
  const made = compacted({ context, held, policy, figures }, steps)
  if (made === undefined || made.real.saving < leastShare * figures.totalTokens) return { rent: 0 }
  if (!figures.free && !mayLend(figures.holdCost + made.real.rewriteCost, policy, figures)) return { rent }
  return { chosen: begun(context, figures, made), rent: 0, cause: figures.free ? 'cold-cache' : 'rent', paidRent: rent }
}

/** Where a window is full, steps that stand when those that should do not fit. */
const fewerSteps = [4, 2, 1]
/** A brief that saves less of a request is none. */
const leastShare = 0.2

interface Look {
  readonly context: PlanContext
  readonly held: Rendered
  readonly policy: CompactionPolicy
  readonly figures: Standing
}

/** Newest steps that stand: so many, and so many tokens. */
function newestSteps({ input }: PlanContext, { renditions }: Rendered, policy: CompactionPolicy): number {
  const steps = stepsIn(input.items)
  let newest = Math.min(policy.newestSteps, steps.length)
  const tokensFrom = (index: number): number => {
    let sum = 0
    for (let at = index; at < renditions.length; at += 1) sum += renditions[at]?.tokens ?? 0
    return sum
  }
  while (newest < steps.length && tokensFrom(steps.at(-newest)?.[0] ?? 0) < policy.newestTokens) newest += 1
  return newest
}

interface Due {
  /** What holding on costs in this request. */
  readonly rent: number
  /** What writing the rest anew costs over reading it. */
  readonly price: number
  /** What the request would cost. */
  readonly cost: number
}

/** What compacting would bring, by the usual length of a brief; undefined where there is nothing to compact. */
function dueOf({ context, held, policy, figures }: Look, newest: number): Due | undefined {
  const going = goingSteps(context, held, newest)
  if (going === undefined) return undefined
  const { input } = context
  const shownTokens = (index: number): number => held.renditions[index]?.tokens ?? 0
  const shown = [going.carrier, ...going.gone].reduce((sum, index) => sum + shownTokens(index), 0)
  const full = [going.carrier, ...going.gone].reduce((sum, index) => sum + (input.tokens[index] ?? 0), 0)
  const saving = shown - usualBrief(policy, full)
  if (saving < leastShare * figures.totalTokens) return undefined
  const { prices, overheadTokens } = input
  const total = figures.totalTokens - saving
  if (total < leastCacheable * prices.minTokens) return undefined
  const read = Math.min(figures.readableTokens(going.carrier), figures.cachedTokens)
  const offered = input.offerTokens === undefined ? 0 : input.offerTokens + read + overheadTokens
  const written = total - read + offered
  return {
    rent: prices.read * saving,
    price: (prices.write - prices.read) * written,
    cost: prices.read * (total + overheadTokens - written) + prices.write * written,
  }
}

/** A brief is about so long, of steps of so many tokens. */
function usualBrief({ views, tasks, outlines, lines }: CompactionPolicy, fullTokens: number): number {
  return 0.7 * Math.min(views + tasks + outlines + lines, briefShare * fullTokens) + Math.min(2_500, 0.03 * fullTokens)
}

/** What is true now takes at most this share of the tokens that a brief stands for, whatever its budgets. */
const briefShare = 0.35

function budgetsFor(policy: BriefBudgets, fullTokens: number): BriefBudgets {
  const { views, viewSteps, tasks, outlines, lines } = policy
  const scale = Math.min(1, (briefShare * fullTokens) / Math.max(1, views + tasks + outlines + lines))
  const scaled = (tokens: number): number => Math.floor(scale * tokens)
  return { viewSteps, views: scaled(views), tasks: scaled(tasks), outlines: scaled(outlines), lines: scaled(lines) }
}

interface Going {
  readonly carrier: number
  readonly gone: readonly number[]
}

function goingSteps(context: PlanContext, held: Rendered, newest: number, fewest = fewestSteps): Going | undefined {
  const { items } = context.input
  const steps = stepsThatMayGo(context, held, { newestSteps: newest, talk: true, scope: () => true })
  const first = steps.findIndex((step) => step.some((index) => items[index]?.kind === 'tool-result'))
  const carrier = steps[first]?.find((index) => items[index]?.kind === 'tool-result')
  const gone = steps.slice(first + 1)
  return carrier === undefined || gone.length < fewest ? undefined : { carrier, gone: gone.flat() }
}

/** Fewer are no run of old steps. */
const fewestSteps = 3

export interface Made {
  readonly shown: Rendered
  readonly real: Proposal
}

interface Briefed extends Omit<Look, 'policy'> {
  readonly policy: BriefBudgets
  /** Fewer are not compacted. */
  readonly fewest?: number
}

/** The conversation with its old steps as a brief; undefined where that saves nothing. */
export function compacted({ context, held, policy, figures, fewest }: Briefed, newest: number): Made | undefined {
  const going = goingSteps(context, held, newest, fewest)
  if (going === undefined) return undefined
  const { input, options, facts, summarising } = context
  const { items, hiddenTools } = input
  const { steps } = options
  const gone = [going.carrier, ...going.gone]
  const fullTokens = gone.reduce((sum, index) => sum + (input.tokens[index] ?? 0), 0)
  const text = briefOf({
    items,
    steps,
    gone,
    budgets: budgetsFor(policy, fullTokens),
    facts,
    hiddenTools,
    count: summarising.count,
  })
  const choice = stepNote(context, { ...going, text })
  const from = Math.min(...choice.keys())
  const shown = rerender(context, held, from, choice)
  const real = inEffect(shown, from, { figures, context })
  return real.saving <= 0 ? undefined : { shown, real }
}

/** What the session has cost may exceed what sending everything has cost by a share of that. */
function mayLend(cost: number, { loanShare }: CompactionPolicy, { credit, passThrough }: Standing): boolean {
  return credit - cost + loanShare * passThrough >= 0
}

export function begun({ input }: PlanContext, figures: Standing, { shown, real }: Made): Chosen {
  const epoch = (input.ledger?.epoch ?? 0) + 1
  return {
    shown,
    free: figures.free,
    epoch: epochRecord({ figures, decision: 'begin', cause: 'compacted', epoch, best: real }),
  }
}
