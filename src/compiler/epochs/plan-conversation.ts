import type {
  ConversationLedger,
  EpochRecord,
  Hasher,
  Item,
  LadderMaker,
  LedgerEntry,
  Policy,
  ReasonCode,
  Rendition,
  Section,
} from '../../core/index.ts'
import type { FactReader, LadderOptions } from '../../ladders/index.ts'
import { factReader } from '../../ladders/index.ts'
import { prefixSums, requestCost } from './cache-price.ts'
import { eligible } from './eligible.ts'
import { contentHasher, handleFrom, itemKeys } from '../items/item-keys.ts'
import type { ContentHasher } from '../items/item-keys.ts'
import { nextLedger } from './next-ledger.ts'
import { nothing, rerender } from './plan-context.ts'
import type { ConversationInput, PlanContext, Room } from './plan-context.ts'
import { relieve } from './relieve.ts'
import { proposals, shorterRenditions } from './propose.ts'
import type { Proposal } from './propose.ts'
import { reasonsFor } from './reasons-for.ts'
import { renderFrom, stepNumbers } from './render-from.ts'
import type { Rendered, RenderOptions } from './render-from.ts'
import { entriesOf, sessionView } from './session-view.ts'
import type { SessionView } from './session-view.ts'
import { affordable, gain, standing } from './standing.ts'
import type { Standing } from './standing.ts'

export interface ConversationPlan {
  /** One per item, in the same order. */
  readonly renditions: readonly Rendition[]
  readonly reasons: readonly ReasonCode[]
  readonly ledger: ConversationLedger
  readonly epoch: EpochRecord
  /** False where even the lowest rungs exceed what there is. */
  readonly fits: boolean
  /** Where they do: sections, or the whole window. */
  readonly over: readonly (Section | 'window')[]
}

/** A conversation lined up with its ledger. */
export interface OpenConversation {
  /** How each item stood in the last request; undefined where it is new. */
  readonly held: readonly (Rendition | undefined)[]
  /** What the items that count take in the cheapest forms that lose nothing, whatever was hidden before. */
  losslessTokens(counts: (index: number) => boolean): number
  /** Decides what changes, when, and into what. */
  plan(room: Room): ConversationPlan
}

export type ConversationPlanner = (input: ConversationInput) => OpenConversation

/** What a planner is made with. */
export interface PlannerParts {
  readonly ladders: LadderMaker
  itemTokens(item: Item, text: string): number
  readonly hash: Hasher
  /** Hashes contents, where the caller does so anyway. */
  readonly contentHash?: ContentHasher
}

/**
 * Decides how each item of a conversation is shown: as the ledger froze it, or, where a new epoch pays, shorter. Pure: what
 * a planner remembers between calls only saves work.
 */
export function conversationPlanner(parts: PlannerParts): ConversationPlanner {
  const facts = factReader()
  const hashOf = parts.contentHash ?? contentHasher(parts.hash)
  const known: KnownRenderings = new WeakMap()
  return (input) => {
    const keys = itemKeys(input.items, hashOf)
    const view = sessionView({ items: input.items, keys, tokens: input.tokens, ledger: input.ledger })
    const steps = stepNumbers(input.items)
    const options: RenderOptions = {
      items: input.items,
      keys,
      steps,
      tokens: input.tokens,
      facts,
      leastTokens: leastCacheable * input.prices.minTokens,
      rungsOf: ladderReader({ ...parts, input, steps, facts, hashOf }),
    }
    return {
      held: view.frozen,
      losslessTokens(counts) {
        const { renditions } = renderFrom(nothing, [], options)
        return renditions.reduce((sum, { tokens }, index) => (counts(index) ? sum + tokens : sum), 0)
      },
      plan: (room) => planIn({ input, room, view, options, facts }, known),
    }
  }
}

/** What was rendered for a request, by the decisions that it left in the ledger. */
type KnownRenderings = WeakMap<readonly LedgerEntry[], Rendered>

function planIn(context: PlanContext, known: KnownRenderings): ConversationPlan {
  const { input, room, view, options } = context
  const chosen = view.frozen.map((rendition, index) => rendition ?? room.given?.get(index))
  const held = renderFrom(startOf(input, view, known), chosen, options)
  const { shown, epoch } = chooseEpoch(context, held)
  const relieved = relieve(context, shown)
  const ledger = nextLedger(context, { rendered: relieved.rendered, epoch: relieved.epoch ?? epoch })
  known.set(ledger.entries, relieved.rendered)
  return {
    renditions: relieved.rendered.renditions,
    reasons: reasonsFor(context, relieved.rendered.renditions, relieved.forced),
    ledger,
    epoch: relieved.epoch ?? epoch,
    fits: relieved.fits,
    over: relieved.over,
  }
}

interface LadderReaderOptions extends PlannerParts {
  readonly input: ConversationInput
  readonly steps: readonly number[]
  readonly facts: FactReader
  hashOf: ContentHasher
}

/** Asks the ladders for the rungs of an item; pinned and frozen ones have but one. */
function ladderReader(options: LadderReaderOptions): RenderOptions['rungsOf'] {
  const { ladders, hash, hashOf, facts, steps } = options
  const { items, tokens, handleKey, hiddenTools = [] } = options.input
  return (index, conversation) => {
    const item = items[index]
    if (item === undefined || item.pin === true || item.frozen === true) return []
    // A ladder measures what it makes more than once; what is known is not measured again.
    const known = new Map([[item.text, tokens[index] ?? 0]])
    const count = (text: string): number => {
      const measured = known.get(text) ?? options.itemTokens(item, text)
      known.set(text, measured)
      return measured
    }
    const handle = handleFrom(hash, handleKey, hashOf(item))
    const context: LadderOptions = { count, handle, step: steps[index] ?? 0, hiddenTools, facts, conversation }
    return ladders(item, context)
  }
}

/** The part of the last request that still stands, if this planner rendered it. */
function startOf({ ledger }: ConversationInput, { diverged, aligned }: SessionView, known: KnownRenderings): Rendered {
  const last = known.get(entriesOf(ledger))
  return last !== undefined && !diverged && last.renditions.length === aligned ? last : nothing
}

interface Chosen {
  readonly shown: Rendered
  readonly epoch: EpochRecord
}

/** A new epoch when the cache is cold or the history changed anyway, or when it gains more than it costs. */
function chooseEpoch(context: PlanContext, held: Rendered): Chosen {
  const { input, facts, options } = context
  const policy = effectivePolicy(input)
  const number = input.ledger?.epoch ?? 0
  const figures = standing(context, held)
  const changedLayout = input.ledger?.layout === 'payload'
  const changedStep = isOtherStep(input)
  const hold = (cause: EpochRecord['cause'], best?: Proposal): Chosen => ({
    shown: held,
    epoch: record({ figures, decision: 'hold', cause, epoch: number, best }),
  })
  const members = eligible({ items: input.items, renditions: held.renditions, policy, facts })
  if (members.length === 0) {
    if (changedLayout)
      return {
        shown: held,
        epoch: record({ figures, decision: 'begin', cause: 'layout-changed', epoch: number + 1, best: undefined }),
      }
    return hold(input.ledger === undefined ? 'first-request' : 'nothing-to-do')
  }
  if (!figures.free && !changedStep && !worthALook(context, held, members, figures))
    return hold('no-gain', guess(held, members, figures, context))
  const shorter = shorterRenditions({
    ...options,
    renditions: held.renditions,
    members,
    policy,
  })
  const best = bestStart({ context, held, figures, members: [...shorter.keys()].toSorted((a, b) => a - b), shorter })
  if (best === undefined) return hold('no-gain')
  if (
    !figures.free &&
    !changedStep &&
    figures.regret + best.saving * input.prices.read < policy.patience * best.rewriteCost
  )
    return hold('no-gain', best)
  const shown = rerender(context, held, best.from, shorter)
  const cost = costFrom(shown, best.from, figures, context)
  if (!figures.free && !affordable(cost, best.saving, context, figures)) return hold('no-credit', best)
  const cause = causeOf(context, figures, changedStep)
  return { shown, epoch: record({ figures, decision: 'begin', cause, epoch: number + 1, best }) }
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

/** Share of an item's tokens that shortening usually saves; only used to decide whether to look closer. */
const usualSaving = { trimmed: 0.6, line: 0.9, lossless: 0 } as const

function guess(
  held: Rendered,
  members: readonly number[],
  figures: Standing,
  { input }: PlanContext,
): Proposal | undefined {
  const share = usualSaving[input.policy.epochs.lowestRung]
  const found = proposals({
    renditions: held.renditions,
    cachedTokens: figures.cachedTokens,
    readableTokens: figures.readableTokens,
    prices: input.prices,
    savingOf: (index) => (held.renditions[index]?.tokens ?? 0) * share,
    members,
  })
  return found.toSorted((a, b) => gain(b, figures, input.prices) - gain(a, figures, input.prices))[0]
}

function worthALook(context: PlanContext, held: Rendered, members: readonly number[], figures: Standing): boolean {
  const best = guess(held, members, figures, context)
  if (best === undefined) return false
  const { patience } = context.input.policy.epochs
  return figures.regret + best.saving * context.input.prices.read >= patience * best.rewriteCost
}

interface BestOptions {
  readonly context: PlanContext
  readonly held: Rendered
  readonly figures: Standing
  readonly members: readonly number[]
  readonly shorter: ReadonlyMap<number, Rendition>
}

/** What is left must stay well above what a provider caches at all, in multiples of its minimum. */
const leastCacheable = 1.5

/** The start that gains most, among those that the session can pay for. */
function bestStart({ context, held, figures, members, shorter }: BestOptions): Proposal | undefined {
  const { prices } = context.input
  const found = proposals({
    renditions: held.renditions,
    cachedTokens: figures.cachedTokens,
    readableTokens: figures.readableTokens,
    prices,
    savingOf: (index) => (held.renditions[index]?.tokens ?? 0) - (shorter.get(index)?.tokens ?? 0),
    members,
  })
  const cacheable = found.filter(({ saving }) => figures.totalTokens - saving >= leastCacheable * prices.minTokens)
  if (figures.free) return cacheable.at(-1)
  return cacheable
    .filter((proposal) => gain(proposal, figures, prices) > 0)
    .filter(({ rewriteCost, saving }) => affordable(figures.holdCost + rewriteCost, saving, context, figures))
    .toSorted((a, b) => gain(b, figures, prices) - gain(a, figures, prices))[0]
}

function costFrom(
  shown: Rendered,
  from: number,
  { cachedTokens, readableTokens }: Standing,
  { input }: PlanContext,
): number {
  const sums = prefixSums(shown.renditions)
  const overhead = input.overheadTokens
  return requestCost(
    (sums.at(-1) ?? 0) + overhead,
    Math.min(readableTokens(from), cachedTokens) + overhead,
    input.prices,
  )
}

interface RecordOptions {
  readonly figures: Standing
  readonly decision: EpochRecord['decision']
  readonly cause: EpochRecord['cause']
  readonly epoch: number
  readonly best: Proposal | undefined
}

function record({ figures, decision, cause, epoch, best }: RecordOptions): EpochRecord {
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
