import type { EpochRecord, ReliefStepRecord, Rendition, Section } from '../../core/index.ts'
import { floorTiers, lastTiers } from './floor-tiers.ts'
import { leastLoss } from './least-loss.ts'
import type { Band, Choice } from './least-loss.ts'
import { leftOutSteps } from './left-out-steps.ts'
import { olderTurns } from './older-turns.ts'
import type { ReliefView } from '../relief/relief-view.ts'
import type { ConversationInput, PlanContext } from './plan-context.ts'
import { rerender } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { withSummaries } from './summarised.ts'
import { takeSteps } from './take-steps.ts'
import type { StepGoal } from './take-steps.ts'
import { isUnread, unreadWithin } from './unread-results.ts'
import { usualTiers } from './usual-tiers.ts'
import type { Tier } from './usual-tiers.ts'

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
 * pressure of eviction, and then for several turns. Where handles cannot be followed nothing is hidden.
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
    rendered = withFloor(context, shortenInto(context, withUnreadShort(context, rendered, goal), goal), goal)
    if (sumOf(rendered, scope) > most) over.push(section)
  }
  const { limitTokens } = room
  const fullAt = free ? pressure.compress : pressure.evict
  const evict = pressure.evict * limitTokens
  const goal = { ...bandOf(context, limitTokens), scope: everywhere, forced, evict, most: limitTokens }
  if (room.mayFillUp !== true) rendered = withUnreadShort(context, rendered, goal)
  if (room.mayFillUp !== true && sumOf(rendered, everywhere) > fullAt * limitTokens)
    rendered = withFloor(context, shortenInto(context, rendered, goal), goal)
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
  const over: (Section | 'window')[] = []
  const steps: ReliefStepRecord[] = []
  let rendered = withOlderShort(context, shown, forced)
  const take = (goal: StepGoal): void => {
    const taken = takeSteps(context, rendered, { view, goal, forced })
    steps.push(...taken.steps)
    ;({ rendered } = taken)
  }
  for (const [section, most] of room.caps ?? []) {
    const scope = (index: number): boolean => input.items[index]?.section === section
    // What may take all there is has no bound of its own.
    if (most >= room.limitTokens || sumOf(rendered, scope) <= most) continue
    const goal = { ...bandOf(context, most), high: most, scope, forced, evict: 0, most }
    rendered = withSummaries(context, withUnreadShort(context, rendered, goal), goal)
    take({ section, prepare: prepare * most, compress: most, evict: most })
    rendered = withFloor(context, rendered, goal)
    if (sumOf(rendered, scope) > most) over.push(section)
  }
  const { limitTokens } = room
  const band = { ...bandOf(context, limitTokens), high: compress * limitTokens }
  const goal = { ...band, scope: everywhere, forced, evict: 0, most: limitTokens }
  rendered = withUnreadShort(context, rendered, goal)
  rendered = withSummaries(context, rendered, goal)
  take({ prepare: prepare * limitTokens, compress: compress * limitTokens, evict: evict * limitTokens })
  rendered = withFloor(context, rendered, goal)
  if (sumOf(rendered, everywhere) > limitTokens) over.push('window')
  const epoch = forced.size === 0 ? {} : { epoch: pressureRecord(context, shown, rendered) }
  return { rendered, fits: over.length === 0, over, forced, steps, ...epoch }
}

/** Turns that are too many to stand verbatim are shortened, for the least loss, until they take no more than they may. */
function withOlderShort(context: PlanContext, shown: Rendered, forced: Set<number>): Rendered {
  const older = olderTurns(context, shown)
  if (older.size === 0) return shown
  const { olderTokens: high = 0 } = context.room.turns ?? {}
  const low = high * context.input.policy.pressure.prepare
  return shortenInto(context, shown, { scope: (index) => older.has(index), forced, low, high, evict: 0, most: Infinity })
}

const everywhere = (): boolean => true

function sumOf({ renditions }: Rendered, scope: (index: number) => boolean): number {
  return renditions.reduce((sum, { tokens }, index) => (scope(index) ? sum + tokens : sum), 0)
}

/** The least share of all that unread results may take before anything else gives way for them. */
const unreadShare = 0.25

/**
 * Where there is more than fits, unread results give way that take more than the rest leaves: a log that is larger than the window has no
 * use for a conversation without a memory.
 */
function withUnreadShort(context: PlanContext, shown: Rendered, { scope, forced, high, most }: Scope): Rendered {
  const used = sumOf(shown, scope)
  if (used <= most) return shown
  const unread = isUnread(context.input.items)
  const others = sumOf(shown, (index) => scope(index) && !unread(index))
  return unreadInto(context, shown, { scope, forced, mostTokens: Math.max(high - others, unreadShare * most) })
}

function unreadInto(
  context: PlanContext,
  shown: Rendered,
  { scope, forced, mostTokens }: Pick<Scope, 'scope' | 'forced'> & { readonly mostTokens: number },
): Rendered {
  const unread = isUnread(context.input.items)
  const members = Array.from(context.input.items.keys()).filter((index) => scope(index) && unread(index))
  if (sumOf(shown, (index) => members.includes(index)) <= mostTokens) return shown
  return withChoice(context, shown, { forced, choice: unreadWithin(context, shown, { members, mostTokens }) })
}

/** What would not fit even so is shortened as far as it can be: last of all what nothing has read, and the first message of the user. */
function withFloor(context: PlanContext, shown: Rendered, goal: Scope): Rendered {
  const { scope, forced, high, most } = goal
  const isOver = (rendered: Rendered): boolean => sumOf(rendered, scope) > most
  let rendered = shown
  for (const tier of floorTiers(context)) if (isOver(rendered)) rendered = applyTier(context, rendered, { ...goal, tier })
  if (isOver(rendered) && context.input.rehydration) rendered = withSummaries(summarising(context), rendered, goal)
  if (isOver(rendered)) {
    const unread = isUnread(context.input.items)
    const others = sumOf(rendered, (index) => scope(index) && !unread(index))
    rendered = unreadInto(context, rendered, { scope, forced, mostTokens: high - others })
  }
  for (const tier of lastTiers(context)) if (isOver(rendered)) rendered = applyTier(context, rendered, { ...goal, tier })
  return rendered
}

/** Talk of many turns is too long even with one line for each: what is left of the oldest is a summary. */
function summarising(context: PlanContext): PlanContext {
  const { input } = context
  const { policy } = input
  return policy.summaries === undefined
    ? { ...context, input: { ...input, policy: { ...policy, summaries: { mode: 'oneshot' } } } }
    : context
}

function withChoice(
  context: PlanContext,
  shown: Rendered,
  { choice, forced }: { readonly choice: Choice; readonly forced: Set<number> },
): Rendered {
  if (choice.size === 0) return shown
  for (const index of choice.keys()) forced.add(index)
  return rerender(context, shown, Math.min(...choice.keys()), choice)
}

interface Scope extends Band {
  /** What all of it may take. */
  readonly most: number
  readonly forced: Set<number>
  /** Old turns are only shortened above it. */
  readonly evict: number
  scope(index: number): boolean
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

/** References to lines that are hidden now turn into the lines again, so a choice may take another to fit. */
const mostRounds = 3

function applyTier(
  context: PlanContext,
  shown: Rendered,
  { tier, ...scope }: Scope & { readonly tier: Tier },
): Rendered {
  let rendered = shown
  for (let round = 0; round < mostRounds; round += 1) {
    const used = sumOf(rendered, scope.scope)
    if (used <= scope.high) break
    if (tier.newestSteps !== undefined) {
      const wanted = { excessTokens: used - scope.low, scope: scope.scope, newestSteps: tier.newestSteps }
      return withChoice(context, rendered, { choice: leftOutSteps(context, rendered, wanted), forced: scope.forced })
    }
    const members = tier.members(context, rendered).filter(scope.scope)
    const { policy, outline = false, mustFit = false, rungs } = tier
    const allows = rungs && ((form: Rendition): boolean => rungs.includes(form.rung))
    const problem = { context, rendered, members, policy, usedTokens: used, band: scope, outline, mustFit }
    const chosen = leastLoss({ ...problem, ...(allows && { allows }) })
    if (chosen.size === 0) break
    rendered = withChoice(context, rendered, { choice: chosen, forced: scope.forced })
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
