import type {
  CompactionRecord,
  ConversationLedger,
  EpochRecord,
  Item,
  LedgerEntry,
  ReasonCode,
  ReliefStepRecord,
  Rendition,
  Section,
} from '../../core/index.ts'
import { shownRecipe } from '../../core/index.ts'
import type { FactReader } from '../../ladders/index.ts'
import { canMake, factReader, isItemReference } from '../../ladders/index.ts'
import { outdatedItems } from '../hygiene/outdated.ts'
import { continued } from './arrivals.ts'
import { contentHasher, itemKeys } from '../items/item-keys.ts'
import { compact } from './compact.ts'
import { chooseEpoch, leastCacheable } from './choose-epoch.ts'
import { fileNames } from './names-file.ts'
import { afterReading } from './just-read.ts'
import { dressedReader, ladderReader } from './ladder-reader.ts'
import type { HashAt, PlannerParts } from './ladder-reader.ts'
import { nextLedger } from './next-ledger.ts'
import { nothing } from './plan-context.ts'
import type { ConversationInput, Outdated, PlanContext, Room } from './plan-context.ts'
import { offersAtOnce, offersNow } from './offers.ts'
import { relieve } from './relieve.ts'
import { reasonsFor } from './reasons-for.ts'
import { stepNumbers } from '../items/step-numbers.ts'
import { renderFrom, whole } from './render-from.ts'
import type { Rendered, RenderOptions } from './render-from.ts'
import { shownAgain } from './shown-again.ts'
import { maySummarise, validSummaries } from './summarised.ts'
import { summaryMemo } from '../summaries/summarist.ts'
import { tellsFidelity } from './told-fidelity.ts'
import { entriesOf, sessionView } from './session-view.ts'
import type { SessionView } from './session-view.ts'

export interface ConversationPlan {
  /** One per item, in the same order. */
  readonly renditions: readonly Rendition[]
  readonly reasons: readonly ReasonCode[]
  readonly ledger: ConversationLedger
  readonly epoch: EpochRecord
  /** Of a request that is compacted. */
  readonly compaction?: CompactionRecord
  /** False where even the lowest rungs exceed what there is. */
  readonly fits: boolean
  /** Where they do: sections, or the whole window. */
  readonly over: readonly (Section | 'window')[]
  /** The steps of relief that were taken, where the policy names them. */
  readonly steps?: readonly ReliefStepRecord[]
  /** Whether the request must offer the tool that follows handles, and did not before. */
  readonly offers: boolean
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

/**
 * Decides how each item of a conversation is shown: as the ledger froze it, or, where a new epoch pays, shorter. Pure: what
 * a planner remembers between calls only saves work.
 */
export function conversationPlanner(parts: PlannerParts): ConversationPlanner {
  const facts = factReader()
  const names = fileNames()
  const contentHash = contentHasher(parts.hash)
  const known: KnownRenderings = new WeakMap()
  const memo = summaryMemo()
  return (input) => {
    const hashOf: HashAt = (item, index) => input.contentHashes?.[index] ?? contentHash(item)
    const keys = itemKeys(input.items, hashOf)
    const view = sessionView({ ...input, keys, ledger: input.ledger, summaries: maySummarise(input) })
    const steps = stepNumbers(input.items)
    const outdated = outdatedIn(input, steps, facts)
    const summarising = {
      hash: parts.hash,
      memo,
      contentHash: (index: number) => (input.items[index] === undefined ? '' : hashOf(input.items[index], index)),
      count: (text: string) => parts.itemTokens(aTurn, text),
    }
    const options: RenderOptions = {
      items: input.items,
      keys,
      steps,
      tokens: input.tokens,
      facts,
      leastTokens: leastCacheable * input.prices.minTokens,
      brief: !input.rehydration || (input.offerTokens !== undefined && !offersAtOnce(input)),
      mayCutData: input.rehydration && input.policy.epochs.lowestRung !== 'lossless',
      mayFoldCalls: input.policy.epochs.replacedTokens !== undefined,
      dressed: dressedReader({ ...parts, input, hashOf }),
      rungsOf: ladderReader({ ...parts, input, steps, facts, names, hashOf }),
    }
    return {
      held: view.frozen,
      losslessTokens(counts) {
        const { renditions } = renderFrom(nothing, [], options)
        return renditions.reduce((sum, { tokens }, index) => (counts(index) ? sum + tokens : sum), 0)
      },
      plan: (room) =>
        planIn({ input, room: withOfferLeft(room, input), view, options, facts, summarising, outdated }, known),
    }
  }
}

/** The tool must still fit in when something is hidden. */
function withOfferLeft(room: Room, { offerTokens = 0 }: ConversationInput): Room {
  return offerTokens === 0 ? room : { ...room, limitTokens: room.limitTokens - offerTokens }
}

/** What a summary is counted as. */
const aTurn: Item = { id: 'summary', section: 'history', kind: 'text', role: 'user', text: '' }

/** Where nothing may be hidden, nothing goes. */
function outdatedIn(
  { items, policy, hiddenTools = [], rehydration }: ConversationInput,
  steps: readonly number[],
  facts: FactReader,
): Outdated {
  const { epochs, hygiene = {} } = policy
  if (!rehydration || epochs.lowestRung === 'lossless') return nothingOutdated
  return outdatedItems({ items, steps, facts, hygiene, hiddenTools })
}

const nothingOutdated: Outdated = new Map()

/** What was rendered for a request, by the decisions that it left in the ledger. */
type KnownRenderings = WeakMap<readonly LedgerEntry[], KnownRendering>

interface KnownRendering extends Rendered {
  /** Whether its ledger tells the fidelity of each form, so that nobody who only reads that knows less. */
  readonly isTold: boolean
}

function planIn(context: PlanContext, known: KnownRenderings): ConversationPlan {
  const { input, room, view } = context
  const out = new Set([
    ...danglingReferences(input, view.frozen),
    ...notMade(input, view.frozen),
    ...shownAgain(context),
  ])
  const forms = validSummaries(context).map(
    (frozen, index) => (out.has(index) ? undefined : frozen) ?? room.given?.get(index) ?? asked(context, index),
  )
  const held = continued(context, out.size > 0 ? nothing : startOf(input, view, known), forms)
  const { chosen, rent, state, record } = compact(context, held)
  const { shown, epoch: chosenEpoch, free } = chosen ?? chooseEpoch(context, afterReading(context, held))
  const relieved = relieve(context, shown, free)
  const isPinned = Array.from(out).some((index) => input.items[index]?.pin === true)
  const epoch = relieved.epoch ?? (out.size > 0 ? begun(chosenEpoch, isPinned ? 'pinned' : 'pressure') : chosenEpoch)
  const offers = offersNow(input, relieved.rendered)
  const ledger = nextLedger(context, { rendered: relieved.rendered, epoch, offers, rent, compacted: state })
  known.set(ledger.entries, { ...relieved.rendered, isTold: tellsFidelity(input.policy) })
  return {
    renditions: relieved.rendered.renditions,
    reasons: reasonsFor(context, relieved.rendered.renditions, relieved.forced),
    ledger,
    epoch,
    fits: relieved.fits,
    over: relieved.over,
    offers,
    ...(record && { compaction: record }),
    ...(relieved.steps && { steps: relieved.steps }),
  }
}

/** What would have to be made of media, and cannot be made any more. */
function notMade({ items, media }: ConversationInput, frozen: readonly (Rendition | undefined)[]): readonly number[] {
  const isLost = (item: Item | undefined, text: string): boolean =>
    item?.media !== undefined &&
    text !== '' &&
    shownRecipe(text) !== undefined &&
    (media === undefined || !canMake(item.media, media))
  return frozen.flatMap((shown, index) => (shown !== undefined && isLost(items[index], shown.text) ? [index] : []))
}

/** References of earlier requests to what does not stand before them any more. */
function danglingReferences(
  { standAlone }: ConversationInput,
  frozen: readonly (Rendition | undefined)[],
): ReadonlySet<number> {
  if (standAlone === undefined) return none
  return new Set(Array.from(standAlone).filter((index) => isItemReference(frozen[index]?.text ?? '')))
}

const none: ReadonlySet<number> = new Set()

/** What was sent is written anew, whatever was decided of the rest. */
function begun(epoch: EpochRecord, cause: EpochRecord['cause']): EpochRecord {
  return epoch.decision === 'begin' ? epoch : { ...epoch, epoch: epoch.epoch + 1, decision: 'begin', cause }
}

/** What a model has asked for by a tool of ours it gets as it is, and not as words that point elsewhere. */
function asked({ input: { items, hiddenTools = [] }, options }: PlanContext, index: number): Rendition | undefined {
  const toolName = items[index]?.toolName
  return toolName !== undefined && hiddenTools.includes(toolName) ? whole(options, index) : undefined
}

/** The part of the last request that still stands, if this planner rendered it. */
function startOf(
  { ledger, policy, editing }: ConversationInput,
  { diverged, reopened, aligned }: SessionView,
  known: KnownRenderings,
): Rendered {
  // What was rendered before a provider's compaction has the tokens of that time.
  if (editing?.ignoresBefore !== undefined) return nothing
  const last = known.get(entriesOf(ledger))
  const isTold = !tellsFidelity(policy) || last?.isTold === true
  return isTold && last !== undefined && !diverged && !reopened && last.renditions.length === aligned ? last : nothing
}
