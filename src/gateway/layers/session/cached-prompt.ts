import type { Usage } from '../../../core/index.ts'
import { partsFor } from '../../../sessions/index.ts'
import type { SessionTurn } from '../../../sessions/index.ts'
import { bodyOf, isSuccess } from '../../outlet/reply.ts'
import type { GatewayParts } from '../../parts.ts'
import type { CachedPrompt } from '../../upkeep/warm-keeper.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Next } from '../../exchange/layer.ts'
import { openTrace } from '../../exchange/trace.ts'

/** The last body of a turn that went upstream. */
export interface SentBody {
  readonly body: string
  /** By the gateway's clock. */
  readonly sentMs: number
}

export interface AnsweredTurn {
  readonly exchange: Exchange
  readonly turn: SessionTurn
  readonly next: Next
  readonly sent: SentBody
  /** Of its last round. */
  readonly usage: Usage
}

/** What the provider has cached of a turn, where it can be kept there for the price of a read; undefined elsewhere. */
export function cachedPrompt(parts: GatewayParts, answered: AnsweredTurn): CachedPrompt | undefined {
  const { exchange, turn, sent, usage } = answered
  const { codec, conversation } = exchange
  const info = parts.catalogueOf(exchange.tenant).info(conversation.model)
  const { kind, minTokens, ttlMs } = info.cache
  if (codec.refreshBody === undefined || kind !== 'anthropic-breakpoints' || usage.inputTokens < minTokens)
    return undefined
  const [shortest = 0] = ttlMs
  // Ours stand behind the caller's. What lasts for longer needs no refresh.
  const last = [...exchange.wire.markers, ...(turn.encoded?.pack.breakpoints ?? [])].at(-1)
  if (last === undefined || last.ttlMs > shortest) return undefined
  return {
    requestId: turn.requestId,
    lane: turn.scope.lane,
    sentMs: sent.sentMs,
    info,
    counted: { model: conversation.model, policy: turn.manifest.policyId },
    tokens: usage.inputTokens,
    bytes: 2 * sent.body.length,
    figures: () => figuresOf(parts, turn),
    body: () => codec.refreshBody?.(sent.body),
    refresh: (body, signal) => refreshed(parts, answered, { body, signal }),
  }
}

/** The same conversation compiled as if it came long after its cache had expired. */
function figuresOf(
  { sessionParts }: GatewayParts,
  { input, after, manifest, scope }: SessionTurn,
): ReturnType<CachedPrompt['figures']> {
  const { ledger, memory } = after
  const late = { ...input, nowMs: (input.nowMs ?? 0) + muchLaterMs, ...(ledger && { ledger }) }
  const { packTokens, overheadTokens } = manifest
  const cold = partsFor(sessionParts, scope.tenant).compile(input.model ?? '', late, memory).manifest
  return { tokens: packTokens + overheadTokens, coldTokens: cold.packTokens + cold.overheadTokens }
}

const muchLaterMs = 86_400_000

interface Refresh {
  readonly body: string
  readonly signal: AbortSignal
}

async function refreshed(
  { stopwatch }: GatewayParts,
  { exchange, next }: AnsweredTurn,
  { body, signal }: Refresh,
): Promise<Usage | undefined> {
  // It counts for itself.
  const { outlay: _, ...asking } = exchange
  const trace = openTrace({ stopwatch, startedMs: stopwatch(), whenSent: () => undefined })
  const reply = await next({ ...asking, body, signal, trace })
  const { text } = await bodyOf(reply)
  return isSuccess(reply) ? exchange.codec.usageOf(text) : undefined
}
