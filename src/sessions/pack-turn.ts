import type {
  CompactionOrder,
  CompileEvent,
  CompileInput,
  CompileWatch,
  WireExchange,
  InsertionPart,
  Item,
  Ledger,
  Manifest,
  Outcome,
  OverlayPart,
  Pack,
  Policy,
  PrehendError,
  SessionLengths,
  Situation,
  WhyWhole,
} from '../core/index.ts'
import { bodyOf } from '../codecs/index.ts'
import type { Codec } from '../codecs/index.ts'
import type { Original } from '../stores/index.ts'
import type { RequestContext } from './call-context.ts'
import type { Catalogue } from './catalogue/listed-tools.ts'
import { standing, withCollected } from './collected.ts'
import { compileInput } from './compile-input.ts'
import { plannedTokens } from './cost/planned-tokens.ts'
import type { PlannedTokens, RequestToPlan } from './cost/planned-tokens.ts'
import { answeredItems } from './continuation.ts'
import type { ModelInfo } from '../tokens/index.ts'
import type { LiveState } from './live-state.ts'
import { encodeRequest } from './encode-request.ts'
import { madeOf } from './media/made-of.ts'
import type { MadeWrite } from './media/made-of.ts'
import type { MediaOrder } from './media/media-shop.ts'
import { offeredTools } from './offered-tools.ts'
import type { ToolOffer } from './offered-tools.ts'
import { originalsOf } from './originals-of.ts'
import { mustBePacked } from './refused-for.ts'
import { refusalOf } from './refusal.ts'
import { pinsIn, withPins } from './steering/with-pins.ts'
import type { SaidBeforeEach } from './said-before.ts'
import { partsFor } from './session-parts.ts'
import type { SessionParts } from './session-parts.ts'
import type { HiddenTool } from './tools/hidden-tool.ts'
import { hasNames, namesAfter } from './tools/tool-names.ts'
import { wantsOffer } from './tools/wants-offer.ts'
import { whyWhole } from './why-whole.ts'

/** A request after its compile. */
export interface PackedTurn {
  /** The client's request as it came, and with the overlay put back. */
  readonly received: WireExchange
  readonly exchange: WireExchange
  /** Functions of the client that the model has to find; absent where there are none. */
  readonly catalogue?: Catalogue | undefined
  readonly input: CompileInput
  /** Ids of its items that stand whole because a person has pinned them. */
  readonly pinned?: readonly string[]
  readonly manifest: Manifest
  readonly outcome: Outcome
  /** Why nothing of it is shortened; absent where something is. */
  readonly why?: WhyWhole
  /** What its compile has told. */
  readonly events: readonly CompileEvent[]
  /** What is to be sent; absent where no pack fits. */
  readonly encoded?: EncodedPack
  /** What it takes, and what the client's request would; absent where no pack fits. */
  readonly planned?: PlannedTokens
  /** What has to be made before it can be encoded. */
  readonly orders?: readonly MediaOrder[]
  /** Where nothing may be sent instead of a pack that does not fit. */
  readonly refusal?: PrehendError
}

interface EncodedPack {
  readonly pack: Pack
  /** The decisions that the pack was made by. */
  readonly ledger: Ledger | undefined
  readonly body: string
  /** Hash of the body. */
  readonly hash: string
  /** Those of ours that it offers. */
  readonly tools: readonly HiddenTool[]
  /** What the pack's handles bring back, as far as the session did not have it. */
  readonly originals: readonly Original[]
  /** Media that it shows as they were made, as far as the session has not stored them. */
  readonly madeWrites: readonly MadeWrite[]
  /** What was made of media that it shows so, by item. */
  readonly made?: ReadonlyMap<string, string>
}

export interface TurnToPack {
  readonly codec: Codec
  /** The client's request as it came, and with the session's overlay put back. */
  readonly received: WireExchange
  readonly restored: WireExchange
  /** What of the overlay is in it. */
  readonly placed: readonly OverlayPart[]
  /** Functions of the client that the model has to find; absent where there are none. */
  readonly catalogue?: Catalogue | undefined
  /** What sources have contributed. */
  readonly collected: readonly Item[]
  /** Ids of items that a person has pinned. */
  readonly pins?: readonly string[] | undefined
  readonly policy: Policy
  readonly situation?: Situation | undefined
  /** Whether the model may bring back what is left out. */
  readonly rehydrates: boolean
  /** Who asks, and in which session. Names the receipt of what is decided. */
  readonly asked: RequestContext
  readonly nowMs: number
  readonly watch?: CompileWatch | undefined
  /** When it is compacted, in place of the policy's own rule. */
  readonly compaction?: CompactionOrder | undefined
  /** How long earlier sessions of the tenant were, and what its others have saved together. */
  readonly sessionLengths?: SessionLengths | undefined
  readonly tenantCredit?: number | undefined
}

/** Compiles and encodes a request of a session. Pure but for what its parts remember: gives the session as it is afterwards. */
export function packTurn(
  parts: SessionParts,
  state: LiveState,
  toPack: TurnToPack,
): { readonly turn: PackedTurn; readonly state: LiveState } {
  const { codec, received, restored, catalogue } = toPack
  const { requestId, scope } = toPack.asked
  const { model } = restored.conversation
  const { compile, modelInfo, fittingTokens } = partsFor(parts, scope.tenant)
  const info = modelInfo(model)
  const offered = toolOffer(parts, state, { toPack, info })
  const exchange = withCollected(restored, toPack.collected, standing(restored, toPack.placed))
  const windowTokens = fittingTokens(model, info.windowTokens)
  const pinned = pinsIn(exchange.conversation, toPack.pins)
  const input = inputOf(parts, state, { toPack, exchange, pinned, offered, info, windowTokens })
  const { pack: compiled, manifest, outcome, ledger, events } = compile(model, input, state.memory, toPack.watch)
  // A pin is a wish: where the window is too small for it, the request is packed without.
  if (!compiled && pinned.length > 0) return packTurn(parts, state, { ...toPack, pins: [] })
  const turn = { received, exchange, catalogue, input, manifest, outcome, events, ...(pinned.length > 0 && { pinned }) }
  const tools = offered.tools(manifest.offers === true)
  // Pages are several requests, and there is one to send.
  if (!compiled || outcome.kind === 'paginated')
    return { turn: { ...turn, ...refused(toPack, { manifest, outcome }) }, state: { ...state, received } }
  const shown = madeOf(input.making && parts.media, compiled, {
    items: exchange.conversation.items,
    stored: state.handles,
  })
  if (shown.missing.length > 0) return { turn: { ...turn, orders: shown.missing }, state }
  const { pack, body, marked } = encodeRequest({
    codec,
    exchange,
    info,
    tools,
    pack: compiled,
    made: shown.made,
    marks: manifest.promptCache !== false,
    marked: state.marked,
    sharedTtlMs: parts.lifetimes.ttlMs({ ...toPack, tenant: scope.tenant, info, keysOf: state.memory.keysOf }),
  })
  const compared = { received, exchange, input, manifest, before: state.ledger, after: ledger, info }
  const caches = { marked, views: state.views }
  const ours = offer(parts, state, { received, tools, catalogue })
  const { planned, views } = plannedTokens({ ...compared, ...caches, ...ours })
  const why = whyWhole({ exchange: restored, input, manifest, rehydrates: toPack.rehydrates })
  const originals = newOriginals({ state, codec, exchange, requestId, manifest })
  const aside = { ...state, overlay: overlayAfter(state, toPack, { exchange, pack }), received, restored: exchange }
  // A request that cannot have the tool for once shows what was hidden, and changes nothing for those that can.
  const isAside = toPack.rehydrates && manifest.epoch?.cause === 'policy-changed'
  const encoded = {
    pack,
    ledger,
    body,
    hash: state.memory.bodyHash(body === exchange.wire.body ? bodyOf(exchange) : body),
    tools,
    originals,
    madeWrites: shown.writes,
  }
  return {
    turn: { ...turn, planned, ...(why && { why }), encoded: { ...encoded, ...(shown.made && { made: shown.made }) } },
    state: isAside ? aside : goneOn(aside, { ledger, tools, gone: offered.gone, marked, views, exchange }),
  }
}

interface GoneOn extends Pick<EncodedPack, 'ledger' | 'tools'>, Pick<ToolOffer, 'gone'> {
  readonly marked: LiveState['marked'] & {}
  readonly views: LiveState['views'] & {}
  readonly exchange: WireExchange
}

/** The session after a request that the next one goes on from. */
function goneOn(state: LiveState, { ledger, tools, gone, marked, views, exchange }: GoneOn): LiveState {
  const { items } = exchange.conversation
  return {
    ...state,
    ...(ledger && { ledger }),
    offeredTools: namesAfter(state.offeredTools, { tools, gone }),
    marked,
    views,
    answeredItems: answeredItems(items),
    requestItems: items.length,
  }
}

interface ToCompile {
  readonly toPack: TurnToPack
  readonly exchange: WireExchange
  readonly pinned: readonly string[]
  readonly offered: ToolOffer
  readonly info: ModelInfo
  readonly windowTokens: number
}

function inputOf(parts: SessionParts, state: LiveState, asked: ToCompile): CompileInput {
  const { toPack, exchange, pinned, offered, info, windowTokens } = asked
  const { received, policy, situation, nowMs, catalogue } = toPack
  const { tenant } = toPack.asked.scope
  return compileInput({
    conversation: withPins(exchange.conversation, pinned),
    client: received.conversation,
    info,
    policy,
    situation,
    known: catalogue ? parts.tools : parts.tools.filter(({ findsTools }) => findsTools !== true),
    tools: offered.now,
    ifNeeded: offered.ifNeeded,
    windowTokens,
    handleKey: parts.handleKey(tenant),
    nowMs,
    ledger: state.ledger,
    summaries: parts.summaries?.(tenant, exchange, policy),
    compaction: toPack.compaction,
    sessionLengths: toPack.sessionLengths,
    tenantCredit: toPack.tenantCredit,
    making: parts.media?.makingOf(exchange.conversation.items, policy),
  })
}

function toolOffer(
  parts: SessionParts,
  state: LiveState,
  { toPack, info }: Pick<ToCompile, 'toPack' | 'info'>,
): ToolOffer {
  const { rehydrates, restored: exchange, nowMs, asked } = toPack
  const tools = parts.tools.filter(
    ({ bringsBack, findsTools }) => findsTools !== true && (rehydrates || bringsBack !== true),
  )
  const context = { ...asked, conversation: exchange.conversation }
  return offeredTools(tools, {
    state,
    exchange,
    info,
    nowMs,

    wants: (tool) => wantsOffer(parts, tool, context),
  })
}

/** What was not packed was not measured. */
function refused(
  asked: TurnToPack,
  { manifest, outcome }: { readonly manifest: Manifest; readonly outcome: Outcome },
): Pick<PackedTurn, 'refusal'> {
  const refusal = refusalOf(manifest, outcome, mustBePacked(asked))
  return refusal ? { refusal } : {}
}

interface Offer extends Pick<PackedTurn, 'received' | 'catalogue'> {
  readonly tools: readonly HiddenTool[]
}

/** What is ours in a conversation: calls of our tools, but of a client's own tool of the same name; and whether it offers others now. */
function offer(
  parts: SessionParts,
  { ledger, offeredTools: before }: LiveState,
  { received, tools, catalogue }: Offer,
): Pick<RequestToPlan, 'hiddenTools' | 'offersOthers' | 'unlistedTokens' | 'findsTools'> {
  const names = parts.tools.map(({ definition }) => definition.name)
  const clients = received.conversation.tools
  return {
    hiddenTools: names.filter((own) => !clients.some(({ name }) => name === own)),
    unlistedTokens: catalogue?.tokens ?? 0,
    findsTools: catalogue !== undefined,
    offersOthers: ledger !== undefined && !hasNames(tools, before),
  }
}

/** With what the request adds to its conversation. */
function overlayAfter(
  { overlay, saidBefore }: LiveState,
  { codec, received, restored }: TurnToPack,
  { exchange, pack }: { readonly exchange: WireExchange; readonly pack: Pack },
): LiveState['overlay'] {
  if (exchange.conversation === restored.conversation) return overlay
  const added = inPlace(codec.overlayOf(exchange, { pack }), saidBefore(received))
  return added.length > 0 ? [...overlay, ...added] : overlay
}

/** Bound to the conversation that they were made for. */
function inPlace(parts: readonly InsertionPart[], { end }: SaidBeforeEach): readonly InsertionPart[] {
  return parts.map((part) => ({ ...part, saidBefore: end }))
}

interface Decided extends Pick<TurnToPack, 'codec'> {
  readonly requestId: string
  readonly manifest: Manifest
  readonly state: LiveState
  readonly exchange: WireExchange
}

/** Of what is left out or shorter, whether its handle is shown or not: it may be asked for by what it is about. */
function newOriginals({ state, codec, exchange, manifest, requestId }: Decided): Original[] {
  const isNew = ({ handle }: { readonly handle?: string }): boolean =>
    handle !== undefined && !state.handles.has(handle)
  const summaries = manifest.summaries?.filter(isNew) ?? []
  const mediaUrl = (itemId: string): string | undefined => codec.mediaUrl(exchange, itemId)
  const decisions = manifest.decisions.filter(isNew)
  const { compaction } = manifest
  const left = { decisions, summaries, ...(compaction && { compaction }) }
  return originalsOf(exchange.conversation.items, left, { requestId, mediaUrl })
}
