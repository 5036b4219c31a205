import type { CachePrices, EpochPolicy } from '../../core/index.ts'
import { readableTokens } from './cache-marks.ts'
import { expectedTurns, isWarm, prefixSums, requestCost } from './cache-price.ts'
import { passThroughCost } from './plan-context.ts'
import type { ConversationInput, PlanContext } from './plan-context.ts'
import type { Proposal } from './propose.ts'
import { turnsUntilEdited } from './provider-edits.ts'
import type { Rendered } from './render-from.ts'

/** Where the session stands before the decision. */
export interface Standing {
  readonly totalTokens: number
  /** Tokens that the provider can read if nothing changes. */
  readonly cachedTokens: number
  /** Tokens that it can read if everything from an item on is written anew. */
  readableTokens(from: number): number
  /** Nothing that matters is cached: rewriting costs nothing. */
  readonly free: boolean
  readonly turns: number
  readonly turnsLeft: number
  readonly regret: number
  /** What pass-through would have cost so far. */
  readonly passThrough: number
  /** Saved so far against pass-through, this request of pass-through included. */
  readonly credit: number
  /** What other sessions of the tenant can lend; less than nothing where they owe. */
  readonly tenantCredit: number
  readonly holdCost: number
  /** What stays in hand for rehydrations. */
  readonly reserve: number
}

/** Tokens that following a handle usually brings back. */
const usualReturn = 400

/** `from`: everything from this item on is written anew already; the items that the last request did not have by default. */
export function standing({ input, view }: PlanContext, held: Rendered, from: number = view.aligned): Standing {
  const { ledger, prices } = input
  const warm = ledger !== undefined && isWarm(ledger.lastRequestMs, input.nowMs, prices)
  const sums = prefixSums(held.renditions)
  const total = sums.at(-1) ?? 0
  const readable = (at: number): number =>
    warm ? readableTokens({ items: input.items, ledger, nowMs: input.nowMs, prices, sums }, at) : 0
  const lastTokens = warm ? (sums[view.aligned] ?? 0) : 0
  const cachedTokens = from < view.aligned ? readable(from) : lastTokens
  const turns = ledger?.turns ?? 0
  const passThrough = passThroughCost(input, view, warm)
  return {
    totalTokens: total,
    cachedTokens,
    readableTokens: readable,
    free: ledger !== undefined && lastTokens < Math.max(prices.minTokens, total * 0.1),
    turns,
    turnsLeft: Math.min(
      turnsExpected(turns, input),
      turnsUntilEdited(total + input.overheadTokens, turns, input.editing),
    ),
    passThrough: (ledger?.account.passThrough ?? 0) + passThrough,
    regret: ledger?.regret ?? 0,
    credit: (ledger ? ledger.account.passThrough - ledger.account.actual : 0) + passThrough,
    tenantCredit: input.tenantCredit ?? Infinity,
    reserve: input.policy.epochs.reserveCalls * (prices.read * total + prices.write * usualReturn),
    holdCost: requestCost(total + input.overheadTokens, cachedTokens + (warm ? input.overheadTokens : 0), prices),
  }
}

/** A policy that does not bound debt is fitted to its own expectation. */
function turnsExpected(turns: number, { policy: { epochs }, sessionLengths }: ConversationInput): number {
  return expectedTurns(turns, epochs.expectedTurns, epochs.debtShare === undefined ? undefined : sessionLengths)
}

/** What an epoch brings over the requests still expected, in input-token prices. */
export function gain({ saving, rewriteCost }: Proposal, { turnsLeft }: Standing, prices: CachePrices): number {
  return turnsLeft * prices.read * saving - rewriteCost
}

/**
 * Not dearer than pass-through in the end: only what the session has saved so far may be spent, and something stays in hand
 * for rehydrations. Beyond that it may borrow for an epoch that soon pays for itself.
 */
export function affordable(cost: number, saving: number, { input }: PlanContext, figures: Standing): boolean {
  const { epochs } = input.policy
  const paybackTurns = (cost - figures.holdCost) / (input.prices.read * saving)
  if (epochs.debtShare === undefined) return canBear(cost, needyLoan(paybackTurns, epochs, figures), epochs, figures)
  const paysBack = paybackTurns <= figures.turnsLeft * (epochs.payback ?? usualPayback)
  return canBear(cost, paysBack ? mostDebt(epochs, figures) : 0, epochs, figures)
}

/** Share of the requests still expected. */
const usualPayback = 0.25

/** What a session may owe where its policy bounds that. */
export function mostDebt({ debtShare = 0 }: EpochPolicy, { passThrough }: Standing): number {
  return debtShare * passThrough
}

/** Whether a request of this cost leaves the session with no more debt than it may have, and its tenant with none. */
export function canBear(cost: number, mayOwe: number, { riskShare }: EpochPolicy, figures: Standing): boolean {
  const { credit, holdCost, reserve, tenantCredit } = figures
  const saved = Math.max(0, credit - holdCost)
  return credit - cost + Math.min(mayOwe, tenantCredit) >= Math.max((1 - riskShare) * saved, reserve)
}

/** A long session that found nothing to save may borrow a little. */
function needyLoan(
  paybackTurns: number,
  { loanAfter, loanShare, loanWithin }: EpochPolicy,
  { credit, holdCost, turns, passThrough }: Standing,
): number {
  const saved = Math.max(0, credit - holdCost)
  const needy = turns >= loanAfter && saved < needyShare * passThrough
  return needy && paybackTurns <= turns * loanWithin ? loanShare * passThrough : 0
}

/** A session that has saved less than this share of what pass-through has cost may borrow. */
const needyShare = 0.02
