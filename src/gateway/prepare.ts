import { rehydrateToolName } from '../core/index.ts'
import type { Exchange as WireExchange, Ledger } from '../core/index.ts'
import type { GatewayParts } from './parts.ts'
import type { Exchange } from './layers/exchange.ts'
import type { RequestSettings } from './layers/request-settings.ts'
import type { LiveSession } from './live-sessions.ts'
import { packRequest } from './pack-request.ts'
import type { PackedRequest } from './pack-request.ts'
import { sessionScope } from './session-key.ts'
import { withinDeadline } from './within-deadline.ts'

export interface Incoming {
  readonly exchange: Exchange
  /** The request as the layers before have left it. */
  readonly received: WireExchange
}

/** A request of a session, ready to be sent. */
export interface SessionRequest {
  readonly received: WireExchange
  readonly mode: RequestSettings['mode']
  /** What goes upstream; absent where that is what the layers have made of the request. */
  readonly body?: string
  readonly packed: PackedRequest
  readonly session: LiveSession
  /** The session's ledger before this request. */
  readonly before: Ledger | undefined
  /** Settles when the receipt, the ledger and the originals are stored; never rejects. */
  readonly stored: Promise<unknown>
}

/** Compiles and encodes a request of a session, or names the stage that failed, so that the request goes on without. */
export async function prepare(parts: GatewayParts, incoming: Incoming): Promise<SessionRequest | string> {
  const { exchange, received } = incoming
  const { tenant, headers, codec, settings } = exchange
  if (isBeyondWindows(received)) return 'too-large'
  let stage = 'session'
  try {
    const scope = sessionScope(tenant, headers, received)
    const lane = settings.mode === 'observe' ? `${scope.lane}.observe` : scope.lane
    const opened = parts.sessions.open({ ...scope, ...(lane !== undefined && { lane }) })
    const session = opened instanceof Promise ? await withinDeadline(opened, parts.config.limits.stageMs) : opened
    stage = 'compile'
    const before = session.ledger
    const packed = timed(parts, exchange.id, () => packRequest(parts, { codec, session, received, settings }))
    session.received = exchange.received.exchange
    parts.sessions.touch(session)
    stage = 'store'
    return await stored(parts, { incoming, session, packed, before })
  } catch (error) {
    parts.skipped(stage, error, exchange.id)
    return stage
  }
}

/** Text that no model has a window for; compiling it would hold up everyone else. */
const mostChars = 10_000_000

function isBeyondWindows({ wire, conversation }: WireExchange): boolean {
  return (
    wire.body.length > mostChars && conversation.items.reduce((total, { text }) => total + text.length, 0) > mostChars
  )
}

/** A compile cannot be broken off; one that took too long is told, so that someone can look into it. */
function timed<Result>(
  { stopwatch, config, logger, metrics }: GatewayParts,
  requestId: string,
  work: () => Result,
): Result {
  const startedMs = stopwatch()
  const result = work()
  const tookMs = stopwatch() - startedMs
  if (tookMs > config.limits.stageMs) {
    metrics.slow.inc({ stage: 'compile' })
    logger.warn('stage-slow', { requestId, stage: 'compile', tookMs: Math.round(tookMs) })
  }
  return result
}

interface ToStore {
  readonly incoming: Incoming
  readonly session: LiveSession
  readonly packed: PackedRequest
  /** The ledger before the compile. */
  readonly before: Ledger | undefined
}

/**
 * Files what the request decided. Handles that the model is about to see are waited for: a pointer must resolve whatever
 * happens next.
 */
async function stored(parts: GatewayParts, toStore: ToStore): Promise<SessionRequest> {
  const { incoming, session, packed, before } = toStore
  const { encoded } = packed
  const committed = commit(parts, toStore)
  if (encoded && encoded.originals.length > 0) {
    try {
      await withinDeadline(committed, parts.config.limits.stageMs)
    } catch (error) {
      session.ledger = before
      throw error
    }
    for (const { handle } of encoded.originals) session.handles.add(handle)
  }
  const filed = committed.catch((error: unknown) => parts.skipped('store', error, incoming.exchange.id))
  const { mode } = incoming.exchange.settings
  return {
    received: incoming.received,
    mode,
    packed,
    session,
    before,
    stored: filed,
    ...(mode === 'on' && encoded && { body: encoded.body }),
  }
}

function commit(parts: GatewayParts, { incoming, session, packed }: ToStore): Promise<void> {
  const { manifest, input, encoded } = packed
  const { exchange, received } = incoming
  return parts.store.commit({
    scope: session.scope,
    nowMs: input.nowMs ?? 0,
    ...(session.toolOffered && { offeredTools: [rehydrateToolName] }),
    ...(session.ledger && { ledger: session.ledger }),
    ...(encoded && encoded.originals.length > 0 && { originals: encoded.originals }),
    receipt: {
      requestId: exchange.id,
      packId: manifest.packHash,
      dialect: received.wire.dialect,
      mode: exchange.settings.mode === 'observe' ? 'observe' : 'on',
      model: received.conversation.model,
      manifest,
      ...(parts.config.record === 'content' && { input }),
    },
  })
}
