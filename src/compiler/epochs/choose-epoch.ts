import type { EpochRecord, Policy, Rendition } from '../../core/index.ts'
import { leastRequestCost, requestCost } from './cache-price.ts'
import { eligible } from './eligible.ts'
import { inEffect } from './in-effect.ts'
import type { AfterReading } from './just-read.ts'
import { rerender } from './plan-context.ts'
import type { ConversationInput, PlanContext } from './plan-context.ts'
import { clearedResults } from './provider-edits.ts'
import { proposals, shorterRenditions } from './propose.ts'
import type { Proposal, StartOptions } from './propose.ts'
import type { Rendered } from './render-from.ts'
import { affordable, gain, standing } from './standing.ts'
import type { Standing } from './standing.ts'

/** What is shown, and whether that begins an epoch. */
export interface Chosen {
  readonly shown: Rendered
  readonly epoch: EpochRecord
  /** Whether nothing that matters is cached, so that other changes cost nothing more. */
  readonly free: boolean
}

/** A new epoch when the cache is cold or the history changed anyway, or when it gains more than it costs. */
export function chooseEpoch(context: PlanContext, { shown: held, from, riding }: AfterReading): Chosen {
  const { input, facts, options, outdated } = context
  const policy = effectivePolicy(input)
  const number = input.ledger?.epoch ?? 0
  const figures = standing(context, held, from)
  const free = input.ledger === undefined || figures.free
  const changedStep = isOtherStep(input)
  const hold = (cause: EpochRecord['cause'], best?: Proposal): Chosen => ({
    shown: held,
    free,
    epoch: epochRecord({ figures, decision: 'hold', cause, epoch: number, best }),
  })
  const { items, editing, hiddenTools } = input
  const totalTokens = figures.totalTokens + input.overheadTokens
  const cleared = clearedResults({ items, totalTokens, editing })
  const { renditions } = held
  const members = eligible({ items, renditions, policy, facts, outdated, hiddenTools }).filter(
    (index) => !cleared.has(index),
  )
  const begin = (cause: EpochRecord['cause'], shown: Rendered, best?: Proposal): Chosen => ({
    shown,
    free,
    epoch: epochRecord({ figures, decision: 'begin', cause, epoch: number + 1, best }),
  })
  if (members.length === 0) {
    const cause = changedCause(context)
    if (cause !== undefined) return begin(cause, held)
    return hold(input.ledger === undefined ? 'first-request' : 'nothing-to-do')
  }
  const look: Look = { context, held, figures, members }
  const shorten = (): ReadonlyMap<number, Rendition> => {
    const shorter = shorterRenditions({ ...options, renditions, members, policy, outdated })
    return riding.size === 0 ? shorter : new Map([...riding, ...shorter])
  }
  const over = figures.free ? undefined : releasedAtOnce(look)
  if (over !== undefined) return begin('released', rerender(context, held, over, shorten()))
  if (!figures.free && !changedStep && !worthALook(look)) return hold('no-gain', guess(look))
  if (!figures.free && !couldPay(look)) return hold('no-gain')
  const shorter = shorten()
  const best = bestStart(look, shorter)
  if (best === undefined) return hold('no-gain')
  if (
    !figures.free &&
    !changedStep &&
    figures.regret + best.saving * input.prices.read < policy.patience * best.rewriteCost
  )
    return hold('no-gain', best)
  const shown = rerender(context, held, best.from, shorter)
  const real = inEffect(shown, best.from, look)
  if (!figures.free && !changedStep && gain(real, figures, input.prices) <= 0) return hold('no-gain', real)
  if (!figures.free && !affordable(figures.holdCost + real.rewriteCost, real.saving, context, figures))
    return hold('no-credit', real)
  return begin(causeOf(context, figures, changedStep), shown, real)
}

/** What began an epoch by itself, whether there is anything to shorten or not. */
function changedCause({ input, view }: PlanContext): EpochRecord['cause'] | undefined {
  if (input.ledger?.layout === 'payload') return 'layout-changed'
  return view.reopened ? 'policy-changed' : undefined
}

/** The first item that was brought back for a step that is over, where the policy does not wait for an epoch that pays. */
function releasedAtOnce({ context: { input, outdated }, members }: Look): number | undefined {
  if (input.policy.hygiene?.release !== 'at-once') return undefined
  return members.find((index) => outdated.get(index) === 'released')
}

/** Another step, or another phase, of the task than the last request was at; a task that had none has begun one. */
function isOtherStep({ ledger, step }: ConversationInput): boolean {
  return step !== undefined && ledger?.step !== undefined && ledger.step !== step
}

function causeOf({ input, view }: PlanContext, { free }: Standing, changedStep: boolean): EpochRecord['cause'] {
  if (input.ledger?.layout === 'payload') return 'layout-changed'
  if (!free) return changedStep ? 'step-changed' : 'gain'
  return view.diverged ? 'history-changed' : 'cold-cache'
}

function effectivePolicy({ policy, rehydration }: ConversationInput): Policy['epochs'] {
  return rehydration ? policy.epochs : { ...policy.epochs, lowestRung: 'lossless' }
}

/** What may be shortened, and how things stand. */
interface Look {
  readonly context: PlanContext
  readonly held: Rendered
  readonly figures: Standing
  readonly members: readonly number[]
}

/** Every start that there is, where `savingOf` says what is saved of an item that has so many tokens now. */
function startsOf(
  { context, held: { renditions }, figures, members }: Look,
  savingOf: (tokens: number, index: number) => number,
  costOf = requestCost,
): readonly Proposal[] {
  return proposals({
    renditions,
    cachedTokens: figures.cachedTokens,
    readableTokens: figures.readableTokens,
    prices: context.input.prices,
    savingOf: (index) => savingOf(renditions[index]?.tokens ?? 0, index),
    costOf,
    members,
    offered: offeredBy(context),
  })
}

/** Where nothing follows handles yet, an epoch brings that in. */
function offeredBy({ input: { offerTokens: tokens, overheadTokens } }: PlanContext): StartOptions['offered'] {
  return tokens === undefined ? undefined : { tokens, overheadTokens }
}

/** Share of an item's tokens that shortening usually saves; only used to decide whether to look closer. */
const usualSaving = { trimmed: 0.6, line: 0.9, lossless: 0 } as const

function guess(look: Look): Proposal | undefined {
  const { context, figures } = look
  const { policy, prices } = context.input
  const share = usualSaving[policy.epochs.lowestRung]
  const { outdated } = context
  const found = startsOf(look, (tokens, index) => tokens * (outdated.has(index) ? usualSaving.line : share))
  return found.toSorted((a, b) => gain(b, figures, prices) - gain(a, figures, prices))[0]
}

function worthALook(look: Look): boolean {
  const { context, figures } = look
  const best = guess(look)
  if (best === undefined) return false
  const { patience } = context.input.policy.epochs
  return figures.regret + best.saving * context.input.prices.read >= patience * best.rewriteCost
}

/**
 * Whether any start could gain, and be paid for, if all that may be shortened went away: where not even that could, no ladder
 * need be asked.
 */
function couldPay(look: Look): boolean {
  return startsOf(look, (tokens) => tokens, leastRequestCost).some((proposal) => pays(proposal, look))
}

function pays(proposal: Proposal, { context, figures }: Look): boolean {
  const { rewriteCost, saving } = proposal
  return (
    gain(proposal, figures, context.input.prices) > 0 &&
    affordable(figures.holdCost + rewriteCost, saving, context, figures)
  )
}

/** What is left must stay well above what a provider caches at all, in multiples of its minimum. */
export const leastCacheable = 1.5

/** The start that gains most, among those that the session can pay for. */
function bestStart(look: Look, shorter: ReadonlyMap<number, Rendition>): Proposal | undefined {
  const { context, figures } = look
  const { prices } = context.input
  const found = startsOf(look, (tokens, index) => tokens - (shorter.get(index)?.tokens ?? 0))
  const cacheable = found.filter(({ saving }) => figures.totalTokens - saving >= leastCacheable * prices.minTokens)
  if (figures.free) return cacheable.at(-1)
  return cacheable
    .filter((proposal) => pays(proposal, look))
    .toSorted((a, b) => gain(b, figures, prices) - gain(a, figures, prices))[0]
}

interface RecordOptions {
  readonly figures: Standing
  readonly decision: EpochRecord['decision']
  readonly cause: EpochRecord['cause']
  readonly epoch: number
  readonly best: Proposal | undefined
}

export function epochRecord({ figures, decision, cause, epoch, best }: RecordOptions): EpochRecord {
  return {
    epoch,
    decision,
    cause,
    rewriteCost: best?.rewriteCost ?? 0,
    savingPerTurn: best?.saving ?? 0,
    expectedTurns: figures.turnsLeft,
    credit: figures.credit - figures.holdCost,
  }
}
