import type { IncomingHttpHeaders } from 'node:http'
import { rehydrateToolName } from '../core/index.ts'
import type { Exchange, Ledger } from '../core/index.ts'
import type { Codec } from '../codecs/index.ts'
import type { GatewayParts } from './gateway-parts.ts'
import type { LiveSession } from './live-sessions.ts'
import { packRequest } from './pack-request.ts'
import type { PackedRequest } from './pack-request.ts'
import { bodyText } from './read-body.ts'
import { requestSettings } from './request-settings.ts'
import type { RequestSettings } from './request-settings.ts'
import { sessionScope } from './session-key.ts'
import { wireHeaders } from './wire-headers.ts'
import { withinDeadline } from './within-deadline.ts'

export interface Incoming {
  readonly codec: Codec
  readonly path: string
  readonly tenant: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly requestId: string
}

/** A request that is ready to be sent. */
export interface Prepared {
  readonly received: Exchange
  readonly mode: RequestSettings['mode']
  /** What goes upstream. */
  readonly body: string | Buffer
  /** Absent in mode `off` and where a stage failed. */
  readonly packed?: PackedRequest
  readonly session?: LiveSession
  /** The session's ledger before this request. */
  readonly before?: Ledger | undefined
  /** The stage that failed, so that the request goes on as it came. */
  readonly skipped?: string
  /** Settles when the receipt, the ledger and the originals are stored; never rejects. */
  readonly stored: Promise<unknown>
}

/**
 * Decodes, collects, compiles and encodes. Bad input throws; everything else that fails is recorded and the request goes
 * on as it came.
 */
export async function prepare(parts: GatewayParts, incoming: Incoming): Promise<Prepared> {
  const { codec, path, tenant, headers, body } = incoming
  const text = bodyText(body)
  const received = codec.decode({ path, headers: wireHeaders(headers), body: text }, parts.sessions.guess(tenant, text))
  const settings = requestSettings(received.wire.extension, parts.config)
  const plain: Prepared = { received, mode: settings.mode, body: asItCame(incoming, received), stored: nothing }
  if (settings.mode === 'off') return plain
  if (isBeyondWindows(received)) return { ...plain, skipped: 'too-large' }
  let stage = 'session'
  try {
    const scope = sessionScope(tenant, headers, received)
    const lane = settings.mode === 'observe' ? `${scope.lane}.observe` : scope.lane
    const opened = parts.sessions.open({ ...scope, ...(lane !== undefined && { lane }) })
    const session = opened instanceof Promise ? await withinDeadline(opened, parts.config.limits.stageMs) : opened
    stage = 'compile'
    const before = session.ledger
    const packed = timed(parts, incoming, () => packRequest(parts, { codec, session, received, settings }))
    session.received = received
    parts.sessions.touch(session)
    stage = 'store'
    return await stored(parts, { incoming, plain, session, packed, before })
  } catch (error) {
    parts.skipped(stage, error, incoming.requestId)
    return { ...plain, skipped: stage }
  }
}

const nothing = Promise.resolve()

/** Text that no model has a window for; compiling it would hold up everyone else. */
const mostChars = 10_000_000

function isBeyondWindows({ wire, conversation }: Exchange): boolean {
  return (
    wire.body.length > mostChars && conversation.items.reduce((total, { text }) => total + text.length, 0) > mostChars
  )
}

/** A compile cannot be broken off; one that took too long is told, so that someone can look into it. */
function timed<Result>(
  { stopwatch, config, logger, metrics }: GatewayParts,
  incoming: Incoming,
  work: () => Result,
): Result {
  const startedMs = stopwatch()
  const result = work()
  const tookMs = stopwatch() - startedMs
  if (tookMs > config.limits.stageMs) {
    metrics.slow.inc({ stage: 'compile' })
    logger.warn('stage-slow', { requestId: incoming.requestId, stage: 'compile', tookMs: Math.round(tookMs) })
  }
  return result
}

interface ToStore {
  readonly incoming: Incoming
  readonly plain: Prepared
  readonly session: LiveSession
  readonly packed: PackedRequest
  /** The ledger before the compile. */
  readonly before: Ledger | undefined
}

/**
 * Files what the request decided. Handles that the model is about to see are waited for: a pointer must resolve whatever
 * happens next.
 */
async function stored(parts: GatewayParts, toStore: ToStore): Promise<Prepared> {
  const { incoming, plain, session, packed, before } = toStore
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
  const filed = committed.catch((error: unknown) => parts.skipped('store', error, incoming.requestId))
  const forwarded = plain.mode === 'on' && encoded !== undefined
  return {
    ...plain,
    packed,
    session,
    before,
    stored: filed,
    ...(forwarded && { body: encoded.body === plain.received.wire.body ? incoming.body : encoded.body }),
  }
}

function commit(parts: GatewayParts, { incoming, plain, session, packed }: ToStore): Promise<void> {
  const { manifest, input, encoded } = packed
  const { received } = plain
  return parts.store.commit({
    scope: session.scope,
    nowMs: input.nowMs ?? 0,
    ...(session.toolOffered && { offeredTools: [rehydrateToolName] }),
    ...(session.ledger && { ledger: session.ledger }),
    ...(encoded && encoded.originals.length > 0 && { originals: encoded.originals }),
    receipt: {
      requestId: incoming.requestId,
      packId: manifest.packHash,
      dialect: received.wire.dialect,
      mode: plain.mode === 'observe' ? 'observe' : 'on',
      model: received.conversation.model,
      manifest,
      ...(parts.config.record === 'content' && { input }),
    },
  })
}

/** The client's bytes, or, where they hold our own member, the body without it. */
function asItCame({ codec, body }: Incoming, received: Exchange): string | Buffer {
  if (received.wire.extension === undefined) return body
  return codec.encode(received, {})
}
