import type {
  CachePrices,
  CompactionOrder,
  GivenSummary,
  Item,
  Ledger,
  MediaWish,
  Policy,
  ProseWish,
  ProviderEditing,
  Rendition,
  Section,
  SessionLengths,
} from '../../core/index.ts'
import type { ReliefView } from '../relief/relief-view.ts'
import { lineIndex, saysEnds } from '../../ladders/index.ts'
import type { OutdatedBy } from '../hygiene/outdated.ts'
import { wrapperTokens, requestCost } from './cache-price.ts'
import { renderFrom } from './render-from.ts'
import type { Rendered, RenderOptions } from './render-from.ts'
import type { SessionView } from './session-view.ts'
import type { FactReader } from '../../ladders/index.ts'
import type { SummaristParts } from '../summaries/summarist.ts'

export interface ConversationInput {
  /** In wire order. */
  readonly items: readonly Item[]
  /** Full cost of each item. */
  readonly tokens: readonly number[]
  /** How the texts of an item are shown, where not as they are. */
  readonly dressOf?: ((index: number) => ((text: string) => string) | undefined) | undefined
  /** How media stands that comes in, where not as it came. */
  readonly arrivalOf?: ((index: number) => Rendition | undefined) | undefined
  /** What may be made of media. */
  readonly media?: MediaWish | undefined
  /** Items that must not stand as references to others, though some of them have stood so before. */
  readonly standAlone?: ReadonlySet<number> | undefined
  /** Whether others refer to an item, so that it is never shortened. */
  readonly standsWhole?: ((index: number) => boolean) | undefined
  /** How far the texts of an item may be shortened by words and sentences. */
  readonly proseOf?: ((index: number) => ProseWish | undefined) | undefined
  /** Hash of each item's content, where the caller knows it. */
  readonly contentHashes?: readonly string[]
  /** Framing that is sent besides the items; counted in the session's account. */
  readonly overheadTokens: number
  /** The part of it that pass-through would not send. */
  readonly ownTokens?: number | undefined
  /** What the tool that follows handles would add, where the request does not offer it yet. */
  readonly offerTokens?: number | undefined
  readonly policy: Policy
  readonly ledger?: Ledger | undefined
  /** What the task is at; a change of it is a cause of an epoch. */
  readonly step?: string | undefined
  readonly nowMs?: number | undefined
  readonly prices: CachePrices
  readonly editing?: ProviderEditing | undefined
  /** How long earlier sessions were. */
  readonly sessionLengths?: SessionLengths | undefined
  /** What the tenant's other sessions have saved together; no session borrows more. */
  readonly tenantCredit?: number | undefined
  /** When the conversation is compacted, in place of the policy's own rule. */
  readonly compaction?: CompactionOrder | undefined
  readonly handleKey: string
  /** Tools whose calls and results exist because of us. */
  readonly hiddenTools?: readonly string[] | undefined
  /** Whether handles can be followed. */
  readonly rehydration: boolean
  /** Summaries that somebody has written before. */
  readonly summaries?: readonly GivenSummary[] | undefined
}

/** How much of a conversation stands verbatim, and what the turns before that may take together. */
export interface TurnRoom {
  /** Turns begin with what the user says. */
  readonly recentTurns: number
  /** As far as short forms go: what was said cannot be taken out of a conversation. */
  readonly olderTokens: number
}

/** What a conversation may take. */
export interface Room {
  readonly limitTokens: number
  /** What the items of a section may take together, where that is less. */
  readonly caps?: ReadonlyMap<Section, number>
  /** How many turns stand verbatim; all of them by default. */
  readonly turns?: TurnRoom
  /** How items are shown that no provider has cached and that were chosen elsewhere. */
  readonly given?: ReadonlyMap<number, Rendition>
  /** Whether the window may fill up before anything is shortened for want of room; it then never is. */
  readonly mayFillUp?: boolean
  /** Of a policy that names the steps of relief. */
  readonly relief?: ReliefView
}

/** What all parts of one planning share. */
export interface PlanContext {
  readonly input: ConversationInput
  readonly room: Room
  readonly view: SessionView
  readonly options: RenderOptions
  readonly facts: FactReader
  readonly summarising: Pick<SummaristParts, 'hash' | 'memo' | 'contentHash' | 'count'>
  /** Items that the conversation has no use for any more, by index. */
  readonly outdated: Outdated
}

export type Outdated = ReadonlyMap<number, OutdatedBy>

/** A conversation before its first item. */
export const nothing: Rendered = { renditions: [], index: lineIndex() }

/** What this request would cost with nothing changed, ever; its framing costs what ours does, less what is there because of us. */
export function passThroughCost(
  { items, tokens, prices, hiddenTools = [], overheadTokens, ownTokens = 0 }: ConversationInput,
  { aligned }: SessionView,
  warm: boolean,
): number {
  const isOurs = (item: Item | undefined): boolean => hiddenTools.includes(item?.toolName ?? '')
  // A request that ends in a call or a result of ours exists only because of us.
  if (isOurs(items.at(-1))) return 0
  let total = overheadTokens - ownTokens
  let cached = warm ? total : 0
  tokens.forEach((count, index) => {
    if (isOurs(items[index])) return
    total += count + wrapperTokens
    if (warm && index < aligned) cached += count + wrapperTokens
  })
  return requestCost(total, cached, prices)
}

/** The conversation with the items from `from` on rendered anew: shortened where a shorter rendition is given. */
export function rerender(
  context: PlanContext,
  held: Rendered,
  from: number,
  shorter: ReadonlyMap<number, Rendition>,
): Rendered {
  const { options, input } = context
  const says = held.renditions.findIndex(({ text }) => saysEnds(text))
  // Where what is left out of all results is said no more, the next one says it.
  const isSaid = !shorter.has(says)
  const stands = ({ references, rung }: Rendition): boolean =>
    references === undefined && rung !== 'full' && (isSaid || rung !== 'lossless')
  const chosen = input.items.map((_, index) => {
    const shown = held.renditions[index]
    if (index < from) return shown
    return shorter.get(index) ?? (shown !== undefined && stands(shown) ? shown : undefined)
  })
  return renderFrom(nothing, chosen, options)
}
