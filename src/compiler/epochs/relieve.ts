import type { EpochRecord, ReliefStepRecord, Section } from '../../core/index.ts'
import type { ReliefView } from '../relief/relief-view.ts'
import { applyTier, everywhere, sumOf } from './apply-tier.ts'
import type { Scope } from './apply-tier.ts'
import { firstMessageTier } from './floor-tiers.ts'
import { withFloor, withNewestShort, withOlderSmaller } from './full-window.ts'
import type { Band } from './least-loss.ts'
import { olderTurns } from './older-turns.ts'
import type { ConversationInput, PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { withSummaries } from './summarised.ts'
import { takeSteps } from './take-steps.ts'
import type { StepGoal } from './take-steps.ts'
import { usualTiers } from './usual-tiers.ts'

export interface Relieved {
  readonly rendered: Rendered
  readonly fits: boolean
  /** Sections that take more than they may, or all of it where the window does not hold what is shown. */
  readonly over: readonly (Section | 'window')[]
  /** Indexes that were shortened for want of room. */
  readonly forced: ReadonlySet<number>
  readonly epoch?: EpochRecord
  /** The steps that were taken, where the policy names them. */
  readonly steps?: readonly ReliefStepRecord[]
}

/**
 * Brings a conversation within what its sections may take, and one that fills its window too far back to where the next
 * requests have room to grow, for the least loss. What a provider has cached is broken as late as can be and seldom: only at the
 * pressure of eviction, and then for several turns. Where handles cannot be followed
 * nothing is hidden but what would not fit.
 */
export function relieve(context: PlanContext, shown: Rendered, free: boolean): Relieved {
  if (context.room.relief !== undefined) return relieveBySteps(context, shown, context.room.relief)
  const { input, room } = context
  const { pressure } = input.policy
  const forced = new Set<number>()
  const over: (Section | 'window')[] = []
  let rendered = withOlderShort(context, shown, forced)
  for (const [section, most] of room.caps ?? []) {
    const scope = (index: number): boolean => input.items[index]?.section === section
    if (sumOf(rendered, scope) <= most) continue
    const { low } = bandOf(context, most)
    const goal = { scope, forced, low, high: most, evict: 0, most }
    rendered = withFloor(context, shortenInto(context, withNewestShort(context, rendered, goal), goal), goal)
    if (sumOf(rendered, scope) > most) over.push(section)
  }
  const { limitTokens } = room
  const fullAt = free ? pressure.compress : pressure.evict
  const evict = pressure.evict * limitTokens
  const goal = { ...bandOf(context, limitTokens), scope: everywhere, forced, evict, most: limitTokens }
  if (room.mayFillUp !== true) rendered = withNewestShort(context, rendered, goal)
  if (room.mayFillUp !== true && sumOf(rendered, everywhere) > fullAt * limitTokens)
    rendered = withFloor(context, shortenInto(context, rendered, goal), goal)
  rendered = withOlderSmaller(context, rendered, forced)
  if (sumOf(rendered, everywhere) > limitTokens) over.push('window')
  const epoch = forced.size === 0 ? {} : { epoch: pressureRecord(context, shown, rendered) }
  return { rendered, fits: over.length === 0, over, forced, ...epoch }
}

/**
 * As wide as between the pressures at which compression is prepared and starts. It ends there, or lower: where a session goes on
 * there is room for as many more turns as the policy says, as long as those it has had.
 */
function bandOf({ input }: PlanContext, mostTokens: number): Band {
  const { prepare, compress, evict, roomTurns = 0, lowest = prepare } = input.policy.pressure
  const roomTokens = input.ledger === undefined ? 0 : roomTurns * usualTurn(input)
  const low = Math.min(prepare * mostTokens, Math.max(lowest * mostTokens, evict * mostTokens - roomTokens))
  return { low, high: low + (compress - prepare) * mostTokens }
}

/** Tokens by which a reply and what comes back to it let the history grow. */
function usualTurn({ items, tokens }: ConversationInput): number {
  let replies = 0
  let grown = 0
  for (const [index, { role, section }] of items.entries()) {
    if (section === 'history') grown += tokens[index] ?? 0
    if (role === 'assistant' && items[index - 1]?.role !== 'assistant') replies += 1
  }
  return grown / Math.max(1, replies)
}

/** The same by the steps of a policy, whose order goes before least loss. Sections that exceed their maximum come first. */
function relieveBySteps(context: PlanContext, shown: Rendered, view: ReliefView): Relieved {
  const { input, room } = context
  const { prepare, compress, evict } = input.policy.pressure
  const forced = new Set<number>()
  const steps: ReliefStepRecord[] = []
  const { limitTokens } = room
  const band = { ...bandOf(context, limitTokens), high: compress * limitTokens }
  const window = { ...band, scope: everywhere, forced, evict: 0, most: limitTokens }
  // What may take all there is has no bound of its own.
  const bounded = Array.from(room.caps ?? []).filter(([, most]) => most < limitTokens)
  const caps = bounded.map(([section, most]): readonly [Section, Scope] => {
    const scope = (index: number): boolean => input.items[index]?.section === section
    return [section, { ...bandOf(context, most), high: most, scope, forced, evict: 0, most }]
  })
  const goals: readonly (readonly [Section | 'window', Scope])[] = [...caps, ['window', window]]
  let rendered = withOlderShort(context, shown, forced)
  for (const [, goal] of goals) rendered = withNewestShort(context, rendered, goal)
  const take = (goal: StepGoal): void => {
    const taken = takeSteps(context, rendered, { view, goal, forced })
    steps.push(...taken.steps)
    ;({ rendered } = taken)
  }
  for (const [section, goal] of caps) {
    const { most, scope } = goal
    if (sumOf(rendered, scope) <= most) continue
    rendered = withSummaries(context, rendered, goal)
    take({ section, prepare: prepare * most, compress: most, evict: most })
  }
  rendered = withSummaries(context, rendered, window)
  take({ prepare: prepare * limitTokens, compress: compress * limitTokens, evict: evict * limitTokens })
  // Only where all steps have been taken and were not enough does anything else give way.
  for (const [, goal] of goals) rendered = withFloor(context, rendered, goal)
  const over = goals.flatMap(([name, { scope, most }]) => (sumOf(rendered, scope) > most ? [name] : []))
  const epoch = forced.size === 0 ? {} : { epoch: pressureRecord(context, shown, rendered) }
  return { rendered, fits: over.length === 0, over, forced, steps, ...epoch }
}

/** Turns that are too many to stand verbatim are shortened, for the least loss, until they take no more than they may. */
function withOlderShort(context: PlanContext, shown: Rendered, forced: Set<number>): Rendered {
  const older = olderTurns(context, shown)
  if (older.size === 0) return shown
  const { olderTokens: high = 0 } = context.room.turns ?? {}
  const low = high * context.input.policy.pressure.prepare
  const scope = (index: number): boolean => older.has(index)
  const goal = { scope, forced, low, high, evict: 0, most: Infinity }
  const tier = { ...firstMessageTier(context), mustFit: false }
  return applyTier(context, shortenInto(context, shown, goal), { ...goal, tier })
}

function shortenInto(context: PlanContext, shown: Rendered, scope: Scope): Rendered {
  let rendered = shown
  const tiers = usualTiers(context)
  for (const [at, tier] of tiers.entries()) {
    // Results give way as the policy has it, then dialogue to its summaries, then both as they must.
    if (tiers[at - 1]?.policy === context.input.policy.epochs) rendered = withSummaries(context, rendered, scope)
    const used = sumOf(rendered, scope.scope)
    if (used <= scope.high || (tier.last === true && used <= scope.evict)) break
    rendered = applyTier(context, rendered, { ...scope, tier })
  }
  return rendered
}

function pressureRecord({ input }: PlanContext, before: Rendered, after: Rendered): EpochRecord {
  const { ledger } = input
  return {
    epoch: (ledger?.epoch ?? 0) + 1,
    decision: 'begin',
    cause: 'pressure',
    rewriteCost: 0,
    savingPerTurn: sumOf(before, everywhere) - sumOf(after, everywhere),
    expectedTurns: 0,
    credit: ledger === undefined ? 0 : ledger.account.passThrough - ledger.account.actual,
  }
}
