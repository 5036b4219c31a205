import type { CompileInput, Exchange, Ledger, Manifest, Pack } from '../core/index.ts'
import type { Codec } from '../codecs/index.ts'
import { planBreakpoints } from '../providers/index.ts'
import type { Original } from '../stores/index.ts'
import { cachePricesOf } from '../tokens/index.ts'
import type { ModelInfo } from '../tokens/index.ts'
import type { GatewayParts } from './parts.ts'
import type { LiveSession } from './live-sessions.ts'
import { overheadTokens } from './overhead-tokens.ts'
import { rehydrateTool } from './rehydrate-tool.ts'
import type { RequestSettings } from './layers/request-settings.ts'

/** A request after its compile. */
export interface PackedRequest {
  /** The client's request with hidden turns put back. */
  readonly exchange: Exchange
  readonly input: CompileInput
  readonly manifest: Manifest
  /** What is sent; absent where no pack fits. */
  readonly encoded?: EncodedPack
}

interface EncodedPack {
  readonly pack: Pack
  /** The decisions that the pack was made by. */
  readonly ledger: Ledger | undefined
  readonly body: string
  readonly offersTool: boolean
  /** What the pack's handles bring back, as far as the session did not have it. */
  readonly originals: readonly Original[]
}

export interface PackOptions {
  readonly codec: Codec
  readonly session: LiveSession
  readonly received: Exchange
  readonly settings: RequestSettings
}

/** Compiles a request of a session. Synchronous, so that requests of one session take their turns; changes the session at the end only. */
export function packRequest(parts: GatewayParts, options: PackOptions): PackedRequest {
  const { codec, session, received, settings } = options
  const restored = withHiddenTurns(codec, session, received)
  const info = parts.catalogue.info(restored.conversation.model)
  const nowMs = parts.clock()
  const offersTool = settings.rehydrate && canOffer({ session, exchange: restored, info, nowMs })
  const exchange =
    offersTool && !restored.wire.acceptsTool ? { ...restored, wire: { ...restored.wire, acceptsTool: true } } : restored
  const input = compileInput(parts, { session, exchange, info, settings, offersTool, nowMs })
  const { pack: compiled, manifest, ledger } = parts.compile(exchange.conversation.model, input)
  if (!compiled) return { exchange, input, manifest }
  const planned = planBreakpoints({
    exchange,
    pack: compiled,
    info,
    ...(session.marked && { previous: session.marked }),
  })
  const pack = { ...compiled, breakpoints: planned }
  const body = codec.encode(exchange, { pack, ...(offersTool && { hiddenTools: [rehydrateTool] }) })
  const originals = newOriginals(session, exchange, pack)
  session.ledger = ledger
  session.toolOffered ||= offersTool
  session.restored = exchange
  session.marked = planned
  return { exchange, input, manifest, encoded: { pack, ledger, body, offersTool, originals } }
}

function withHiddenTurns(codec: Codec, session: LiveSession, received: Exchange): Exchange {
  if (session.hidden.length === 0) return received
  const overlay = session.hidden.map((turn) => ({ kind: 'hidden-turn', turn }) as const)
  const body = codec.restore(received.wire.body, overlay)
  return body === received.wire.body ? received : codec.decode({ body }, session.restored)
}

interface OfferContext {
  readonly session: LiveSession
  readonly exchange: Exchange
  readonly info: ModelInfo
  readonly nowMs: number
}

/** The tool comes with a session's first request or with a cold cache, and stays: tools are the first thing in a cache. */
function canOffer({ session, exchange, info, nowMs }: OfferContext): boolean {
  if (exchange.conversation.tools.some(({ name }) => name === rehydrateTool.name)) return false
  if (session.toolOffered) return exchange.wire.acceptsTool || keepsTool(exchange)
  if (!exchange.wire.acceptsTool) return false
  const lastMs = session.ledger?.lastRequestMs
  return lastMs === undefined || nowMs - lastMs > (info.cache.ttlMs[0] ?? 0)
}

/** A request that forces or forbids a tool keeps ours, so that its bytes stay; one for several answers cannot have it. */
function keepsTool({ wire, conversation }: Exchange): boolean {
  const { n } = JSON.parse(wire.body) as { readonly n?: unknown }
  return conversation.tools.length > 0 && (n === undefined || n === null || n === 1)
}

interface InputContext extends OfferContext {
  readonly settings: RequestSettings
  readonly offersTool: boolean
}

function compileInput(parts: GatewayParts, context: InputContext): CompileInput {
  const { session, exchange, info, settings, offersTool, nowMs } = context
  const prices = cachePricesOf(info)
  const { maxOutputTokens } = exchange.conversation
  return {
    items: exchange.conversation.items,
    budget: {
      windowTokens: parts.calibration.fittingTokens(exchange.conversation.model, info.windowTokens),
      overheadTokens: overheadTokens(exchange.conversation, info, offersTool),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    },
    policy: settings.policy,
    layout: 'messages',
    model: exchange.conversation.model,
    nowMs,
    handleKey: parts.handleKey(session.scope.tenant),
    hiddenTools: [rehydrateTool.name],
    rehydration: offersTool,
    ...(session.ledger && { ledger: session.ledger }),
    ...(prices && { prices }),
  }
}

function newOriginals(session: LiveSession, exchange: Exchange, pack: Pack): Original[] {
  const shown = pack.entries.filter(({ handle }) => handle !== undefined && !session.handles.has(handle))
  if (shown.length === 0) return []
  const items = new Map(exchange.conversation.items.map((item) => [item.id, item]))
  return shown.flatMap(({ handle = '', itemId }) => {
    const item = items.get(itemId)
    if (!item) return []
    const { text, kind, toolName } = item
    return [{ handle, text, kind, ...(toolName !== undefined && { toolName }) }]
  })
}
