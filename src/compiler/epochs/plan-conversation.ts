import type {
  CompactionRecord,
  ConversationLedger,
  EpochRecord,
  Hasher,
  Item,
  LadderMaker,
  LedgerEntry,
  Policy,
  ReasonCode,
  ReliefStepRecord,
  Rendition,
  Section,
} from '../../core/index.ts'
import { reliefStepsOf, shownRecipe } from '../../core/index.ts'
import type { FactReader, LadderOptions } from '../../ladders/index.ts'
import { canMake, factReader, isItemReference } from '../../ladders/index.ts'
import { outdatedItems } from '../hygiene/outdated.ts'
import { askedAgain } from './asked-again.ts'
import { continued } from './arrivals.ts'
import { contentHasher, handleFrom, itemKeys } from '../items/item-keys.ts'
import { compact } from './compact.ts'
import { chooseEpoch, leastCacheable } from './choose-epoch.ts'
import { fileNames, fileResults } from './names-file.ts'
import type { FileNames } from './names-file.ts'
import { afterReading } from './just-read.ts'
import { looksAfterEdit } from './looks-after-edit.ts'
import { mediaCalls } from './media-calls.ts'
import { nextLedger } from './next-ledger.ts'
import { nothing } from './plan-context.ts'
import type { ConversationInput, Outdated, PlanContext, Room } from './plan-context.ts'
import { offersAtOnce, offersNow } from './offers.ts'
import { relieve } from './relieve.ts'
import { reasonsFor } from './reasons-for.ts'
import { renderFrom, stepNumbers, whole } from './render-from.ts'
import type { Rendered, RenderOptions } from './render-from.ts'
import { maySummarise, validSummaries } from './summarised.ts'
import { summaryMemo } from '../summaries/summarist.ts'
import { unhandledForms } from './unhandled-forms.ts'
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

/** What a planner is made with. */
export interface PlannerParts {
  readonly ladders: LadderMaker
  itemTokens(item: Item, text: string): number
  readonly hash: Hasher
}

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
  const out = new Set([...danglingReferences(input, view.frozen), ...notMade(input, view.frozen)])
  const forms = validSummaries(context).map(
    (frozen, index) => (out.has(index) ? undefined : frozen) ?? room.given?.get(index) ?? asked(context, index),
  )
  const held = continued(context, out.size > 0 ? nothing : startOf(input, view, known), forms)
  const { chosen, rent, state, record } = compact(context, held)
  const { shown, epoch: chosenEpoch, free } = chosen ?? chooseEpoch(context, afterReading(context, held))
  const relieved = relieve(context, shown, free)
  const epoch = relieved.epoch ?? (out.size > 0 ? begun(chosenEpoch) : chosenEpoch)
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
function begun(epoch: EpochRecord): EpochRecord {
  return epoch.decision === 'begin' ? epoch : { ...epoch, epoch: epoch.epoch + 1, decision: 'begin', cause: 'pressure' }
}

/** What a model has asked for by a tool of ours it gets as it is, and not as words that point elsewhere. */
function asked({ input: { items, hiddenTools = [] }, options }: PlanContext, index: number): Rendition | undefined {
  const toolName = items[index]?.toolName
  return toolName !== undefined && hiddenTools.includes(toolName) ? whole(options, index) : undefined
}

interface LadderReaderOptions extends PlannerParts {
  readonly input: ConversationInput
  readonly steps: readonly number[]
  readonly facts: FactReader
  readonly names: FileNames
  readonly hashOf: HashAt
}

/** The hash of an item's content, given its index. */
type HashAt = (item: Item, index: number) => string

/** Asks the ladders for the rungs of an item; pinned and frozen ones have but one. */
function ladderReader(options: LadderReaderOptions): RenderOptions['rungsOf'] {
  const { ladders, hash, hashOf, facts, names, steps } = options
  const { items, tokens, handleKey, hiddenTools = [], policy } = options.input
  const examples = reliefStepsOf(policy.relief)?.includes('tool-examples') === true
  const wishes = askedOf(policy)
  const isOfFile = fileResults(items, names)
  const isAskedAgain = askedAgain({ items, steps })
  const callOf = mediaCalls(items, steps)
  const isAfterEdit = looksAfterEdit({ items, steps, facts })
  return (index, conversation) => {
    const item = items[index]
    if (item === undefined || item.pin === true || item.frozen === true || options.input.standsWhole?.(index) === true)
      return []
    // A ladder measures what it makes more than once; what is known is not measured again.
    const known = new Map([[item.text, tokens[index] ?? 0]])
    const count = (text: string): number => {
      const measured = known.get(text) ?? options.itemTokens(item, text)
      known.set(text, measured)
      return measured
    }
    const handle = handleFrom(hash, handleKey, hashOf(item, index))
    const isResult = item.kind === 'tool-result' && conversation.visible !== undefined
    const told = {
      ...conversation,
      ...(isOfFile(index) && { exact: true }),
      ...(item.kind === 'media' && { called: () => callOf(index)?.text }),
      ...(isResult && { askedAgain: () => isAskedAgain(index) }),
      ...(conversation.shownLines !== undefined && { looksAfterEdit: () => isAfterEdit(index) }),
    }
    const step = item.kind === 'media' ? (callOf(index)?.step ?? 0) : (steps[index] ?? 0)
    const shared = { count, handle, step, hiddenTools, facts, conversation: told }
    const handled = options.input.rehydration ? shared : { ...shared, unhandled: true }
    const own = wishes === undefined ? handled : { ...handled, ...wishes }
    const prose = options.input.proseOf?.(index)
    const media = item.kind === 'media' ? options.input.media : undefined
    const worded = prose === undefined ? own : { ...own, prose }
    const wished = media === undefined ? worded : { ...worded, media }
    const context: LadderOptions = examples ? { ...wished, examples } : wished
    const dress = options.input.dressOf?.(index)
    const forms = dress === undefined ? ladders(item, context) : dressedRungs(dress, { ...options, item, context })
    return options.input.rehydration || item.kind === 'tool-schema' ? forms : unhandledForms(forms, { handle, count })
  }
}

/** What a policy says of ladders; undefined where it says nothing. */
function askedOf({ toolSchemas, losslessForms }: Policy): Pick<LadderOptions, 'schemas' | 'losslessForms'> | undefined {
  if (toolSchemas === undefined && losslessForms === undefined) return undefined
  return { ...(toolSchemas && { schemas: toolSchemas }), ...(losslessForms === false && { losslessForms }) }
}

interface DressedOptions extends PlannerParts {
  readonly item: Item
  readonly context: LadderOptions
}

/** The rungs of an item that is not shown as it came; they refer to nothing, since their lines are not those of the item. */
function dressedRungs(
  dress: (text: string) => string,
  { item, context, ladders, itemTokens }: DressedOptions,
): readonly Rendition[] {
  const { shownLines: _, usualEnds: __, ...conversation } = context.conversation ?? {}
  let cheapest = Infinity
  return ladders(item, { ...context, conversation }).flatMap(({ references, ...rendition }) => {
    const text = dress(rendition.text)
    const tokens = itemTokens(item, text)
    if (references !== undefined || rendition.rung === 'omitted' || tokens >= cheapest) return []
    cheapest = tokens
    const rung = rendition.rung === 'full' ? 'lossless' : rendition.rung
    return [{ ...rendition, rung, text, tokens, handle: rendition.handle ?? context.handle } as const]
  })
}

/** Made when it is asked for. */
function dressedReader(
  options: PlannerParts & Pick<LadderReaderOptions, 'input' | 'hashOf'>,
): RenderOptions['dressed'] {
  const { itemTokens, hash, hashOf, input } = options
  const known = new Map<number, Rendition>()
  return (index) => {
    const item = input.items[index]
    const dress = input.dressOf?.(index)
    if (item === undefined || dress === undefined) return input.arrivalOf?.(index)
    const rendition = known.get(index) ?? {
      rung: 'lossless',
      text: dress(item.text),
      tokens: itemTokens(item, dress(item.text)),
      fidelity: 1,
      handle: handleFrom(hash, input.handleKey, hashOf(item, index)),
    }
    known.set(index, rendition)
    return rendition
  }
}

/** The part of the last request that still stands, if this planner rendered it. */
function startOf(
  { ledger, policy }: ConversationInput,
  { diverged, reopened, aligned }: SessionView,
  known: KnownRenderings,
): Rendered {
  const last = known.get(entriesOf(ledger))
  const isTold = !tellsFidelity(policy) || last?.isTold === true
  return isTold && last !== undefined && !diverged && !reopened && last.renditions.length === aligned ? last : nothing
}
