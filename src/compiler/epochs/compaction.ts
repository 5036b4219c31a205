import type { BriefBudgets, CompactionCause, CompactionPolicy } from '../../core/index.ts'
import { briefOf } from '../brief/brief.ts'
import type { WrittenLog } from '../brief/brief.ts'
import { logBlocks } from '../brief/log-blocks.ts'
import { budgetsOf, budgetTokens } from '../brief/budgets.ts'
import { everywhere } from './apply-tier.ts'
import { requestCost } from './cache-price.ts'
import { epochRecord, leastCacheable } from './choose-epoch.ts'
import type { Chosen } from './choose-epoch.ts'
import { inEffect } from './in-effect.ts'
import type { PlanContext } from './plan-context.ts'
import { rerender } from './plan-context.ts'
import type { Proposal } from './propose.ts'
import type { Rendered } from './render-from.ts'
import { rewritten } from './rewritten.ts'
import { standing } from './standing.ts'
import type { Standing } from './standing.ts'
import { isNote, stepNote } from './step-note.ts'
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
  const look = lookOf(context, held)
  if (look === undefined) return {}
  const { policy, figures } = look
  if (context.input.ledger?.layout !== 'messages') return { rent: 0 }
  const steps = newestSteps(look)
  const due = dueOf(look, steps)
  const rent = (context.input.ledger.rent ?? 0) + (due?.rent ?? 0)
  if (isFull(look)) return { rent, ...inFullWindow(look, steps, rent) }
  if (due === undefined) {
    const made = figures.free ? withWrittenLog(look) : undefined
    return { rent, ...(made && { chosen: begun(context, figures, made) }) }
  }
  const isDue = figures.free || rent * policy.patience >= due.price
  if (!isDue || (!figures.free && !mayLend(due.cost, policy, figures))) return { rent }
  const made = compacted(look, steps)
  if (made === undefined || !isWorth(made.real, figures)) return { rent: 0 }
  if (!figures.free && !mayLend(figures.holdCost + made.real.rewriteCost, policy, figures)) return { rent }
  return { chosen: begun(context, figures, made), rent: 0, cause: figures.free ? 'cold-cache' : 'rent', paidRent: rent }
}

/** Where a window is full, steps that stand when those that should do not fit. */
const fewestStanding = 1
const fewerSteps = [4, 2, fewestStanding]
/** A brief that saves a smaller share of a request is none. */
const leastShare = 0.2

/** Whether a compaction saves enough of a request. */
export function isWorth({ saving }: Pick<Proposal, 'saving'>, { totalTokens }: Pick<Standing, 'totalTokens'>): boolean {
  return saving >= leastShare * totalTokens
}

interface Look {
  readonly context: PlanContext
  readonly held: Rendered
  readonly policy: CompactionPolicy
  readonly figures: Standing
}

function lookOf(context: PlanContext, held: Rendered): Look | undefined {
  const { policy, rehydration } = context.input
  const { compaction, lowestRung } = policy.epochs
  if (compaction === undefined || lowestRung === 'lossless' || !rehydration) return undefined
  return { context, held, policy: compaction, figures: standing(context, held) }
}

/** Compacts where the window is full, whatever a trigger says; nothing else is decided by the policy where there is a trigger. */
export function compactFullWindow(context: PlanContext, held: Rendered): Compaction {
  const look = lookOf(context, held)
  if (look === undefined || context.input.ledger?.layout !== 'messages' || !isFull(look)) return {}
  return inFullWindow(look, newestSteps(look), 0)
}

function isFull(look: Look): boolean {
  return look.figures.totalTokens > fullWindowTokens(look)
}

/** Above so many tokens a window is full. */
function fullWindowTokens({ context: { input, room } }: Look): number {
  return input.policy.pressure.evict * room.limitTokens
}

function inFullWindow(look: Look, steps: number, rent: number): Compaction {
  const made = compactedInto(look, steps, fullWindowTokens(look))
  if (made === undefined) return {}
  return { chosen: begun(look.context, look.figures, made), rent: 0, cause: 'full-window', paidRent: rent }
}

/** Newest steps that stand: so many, and so many tokens. */
function newestSteps({ context: { input }, held: { renditions }, policy }: Look): number {
  const steps = stepsIn(input.items)
  let newest = Math.min(policy.newestSteps, steps.length)
  let tokens = 0
  for (let at = renditions.length - 1; newest < steps.length; newest += 1) {
    for (const start = steps.at(-newest)?.[0] ?? 0; at >= start; at -= 1) tokens += renditions[at]?.tokens ?? 0
    if (tokens >= policy.newestTokens) break
  }
  return newest
}

/** Compacted until so many tokens are not exceeded; undefined where even the fewest steps that stand save nothing. */
function compactedInto(look: Look, steps: number, mostTokens: number): Made | undefined {
  for (const newest of [steps, ...fewerSteps.filter((fewer) => fewer < steps)]) {
    const made = compacted(look, newest)
    const isFewest = newest <= fewestStanding
    if (made !== undefined && (isFewest || look.figures.totalTokens - made.real.saving <= mostTokens)) return made
  }
  return undefined
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
  const shownTokens = sumOf(going.covered, (index) => held.renditions[index]?.tokens)
  const itemTokens = figures.totalTokens - shownTokens + usualBrief(context, policy, going.fullTokens)
  const { prices, overheadTokens, offerTokens } = input
  const readTokens = Math.min(figures.readableTokens(going.carrier), figures.cachedTokens)
  const { total, read } = rewritten({ itemTokens, readTokens, overheadTokens, offerTokens })
  const saving = figures.totalTokens + overheadTokens - total
  if (!isWorth({ saving }, figures)) return undefined
  if (itemTokens < leastCacheable * prices.minTokens) return undefined
  const cost = requestCost(total, read, prices)
  return { rent: prices.read * saving, price: cost - prices.read * total, cost }
}

/** A brief is about so long, of steps of so many tokens. */
function usualBrief(context: PlanContext, policy: CompactionPolicy, fullTokens: number): number {
  return 0.7 * stateTokens(context, policy, fullTokens) + Math.min(2_500, 0.03 * fullTokens)
}

/** What is true now takes at most this share of the tokens that a brief stands for, whatever its budgets. */
const briefShare = 0.35
/** And this share of the window: newest steps and what they bring need the rest. */
const briefWindowShare = 0.25

function stateTokens({ room }: PlanContext, budgets: BriefBudgets, fullTokens: number): number {
  return Math.min(budgetTokens(budgets), briefShare * fullTokens, briefWindowShare * room.limitTokens)
}

interface Going {
  readonly carrier: number
  /** What goes besides the carrier. */
  readonly gone: readonly number[]
  /** Both, in order. */
  readonly covered: readonly number[]
  /** What they take as they came. */
  readonly fullTokens: number
}

function goingSteps(context: PlanContext, held: Rendered, newest: number, fewest = fewestSteps): Going | undefined {
  const { items, tokens } = context.input
  const steps = stepsThatMayGo(context, held, { newestSteps: newest, talk: true, scope: everywhere })
  const first = steps.findIndex((step) => step.some((index) => items[index]?.kind === 'tool-result'))
  const carrier = steps[first]?.find((index) => items[index]?.kind === 'tool-result')
  const going = steps.slice(first + 1)
  if (carrier === undefined || going.length < fewest) return undefined
  const gone = going.flat()
  const covered = [carrier, ...gone]
  return { carrier, gone, covered, fullTokens: sumOf(covered, (index) => tokens[index]) }
}

function sumOf(indexes: readonly number[], tokensOf: (index: number) => number | undefined): number {
  return indexes.reduce((sum, index) => sum + (tokensOf(index) ?? 0), 0)
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
  const made = going && withBrief({ context, held, policy, figures }, going)
  return made === undefined || made.real.saving <= 0 ? undefined : made
}

/** The conversation with the brief that it has, once a model has written more of its log; undefined where that makes it longer. */
function withWrittenLog(look: Look): Made | undefined {
  const { context, held } = look
  const { items, tokens, ledger } = context.input
  const carrier = held.renditions.findIndex(isNote)
  const before = held.renditions[carrier]
  if (before === undefined || ledger?.layout !== 'messages' || ledger.compacted === undefined) return undefined
  if (writtenLogs(context).every(({ prose }) => before.text.includes(firstLine(prose)))) return undefined
  const covered = [...items.keys()].filter((index) => held.renditions[index]?.handle === before.handle)
  const gone = covered.filter((index) => index !== carrier)
  const made = withBrief(look, { carrier, gone, covered, fullTokens: sumOf(covered, (index) => tokens[index]) })
  const shown = made.shown.renditions[carrier]
  return shown === undefined || shown.text === before.text || shown.tokens > before.tokens ? undefined : made
}

function firstLine(prose: string): string {
  return prose.trim().split('\n')[0] ?? ''
}

function withBrief({ context, held, policy, figures }: Omit<Briefed, 'fewest'>, going: Going): Made {
  const { input, options, facts, summarising } = context
  const text = briefOf({
    items: input.items,
    steps: options.steps,
    gone: going.covered,
    budgets: budgetsOf(policy, stateTokens(context, policy, going.fullTokens)),
    facts,
    hiddenTools: input.hiddenTools,
    written: writtenLogs(context),
    count: summarising.count,
  })
  const choice = stepNote(context, { ...going, text })
  const from = Math.min(...choice.keys())
  const shown = rerender(context, held, from, choice)
  return { shown, real: inEffect(shown, from, { figures, context }) }
}

/** The parts of the log that a model has written by now, where the policy wants any. */
function writtenLogs({ input, summarising: { hash } }: PlanContext): readonly WrittenLog[] {
  const { items, policy, summaries = [] } = input
  if (policy.summaries?.writer !== 'model' || summaries.length === 0) return []
  const given = new Map(summaries.map(({ key, prose }) => [key, prose]))
  return logBlocks({ items, hash }).flatMap(({ key, ...block }) => {
    const prose = given.get(key)
    return prose === undefined ? [] : [{ ...block, prose }]
  })
}

/** What the session has cost may exceed what sending everything has cost by a share of that, as far as its tenant can lend it. */
function mayLend(
  cost: number,
  { loanShare }: CompactionPolicy,
  { credit, passThrough, tenantCredit }: Standing,
): boolean {
  return credit - cost + Math.min(loanShare * passThrough, tenantCredit) >= 0
}

export function begun({ input }: PlanContext, figures: Standing, { shown, real }: Made): Chosen {
  const epoch = (input.ledger?.epoch ?? 0) + 1
  return {
    shown,
    free: figures.free,
    epoch: epochRecord({ figures, decision: 'begin', cause: 'compacted', epoch, best: real }),
  }
}
