import type { Ledger } from '../core/index.ts'
import type { ReceiptResult } from '../stores/index.ts'
import { toPrehendError } from './respond.ts'
import type { GatewayParts } from './gateway-parts.ts'
import type { Prepared } from './prepare.ts'
import type { ReplyEnd } from './outlet/reply.ts'

export interface Settled {
  readonly requestId: string
  readonly prepared: Prepared
  readonly end: ReplyEnd & { readonly rehydrations: number; readonly markersWritten: number }
  readonly overheadMs: number
  readonly upstreamMs: number
}

/** Records how a turn ended: in the receipt, in the metrics, in the log, and in what is known of the model's counts. */
export async function settle(parts: GatewayParts, settled: Settled): Promise<void> {
  const { requestId, prepared, end } = settled
  count(parts, settled)
  learn(parts, settled)
  const { usage } = end
  parts.logger.info('request', {
    requestId,
    dialect: prepared.received.wire.dialect,
    family: parts.catalogue.info(prepared.received.conversation.model).provider,
    mode: prepared.mode,
    status: end.status,
    overheadMs: rounded(settled.overheadMs),
    upstreamMs: rounded(settled.upstreamMs),
    originalTokens: prepared.packed?.manifest.originalTokens,
    packTokens: prepared.packed?.manifest.packTokens,
    epoch: prepared.packed?.manifest.epoch?.cause,
    inputTokens: usage?.inputTokens,
    cacheReadTokens: usage?.cacheReadTokens,
    outputTokens: usage?.outputTokens,
    rehydrations: end.rehydrations,
    markersWritten: end.markersWritten,
    failure: failureOf(end),
  })
  await file(parts, settled)
}

/** Seen from our side only: the client did not wait for a status. */
export const clientClosedRequest = 499

interface Failed extends Omit<Settled, 'end'> {
  readonly status: number
  readonly error: unknown
}

/** Records that a request got no reply. */
export async function fileFailure(parts: GatewayParts, { status, error, ...settled }: Failed): Promise<void> {
  const isAbandoned = status === clientClosedRequest
  const failure = toPrehendError(error)
  await file(parts, { ...settled, end: { status, rehydrations: 0, markersWritten: 0, failure, isAbandoned } })
}

async function file(parts: GatewayParts, { requestId, prepared, end, overheadMs, upstreamMs }: Settled): Promise<void> {
  const { session } = prepared
  if (!session) return
  const ledger = takenBack(prepared, end.status)
  const failure = failureOf(end)
  const result: ReceiptResult = {
    status: end.status,
    rehydrations: end.rehydrations,
    upstreamMs: rounded(upstreamMs),
    overheadMs: rounded(overheadMs),
    ...(end.markersWritten > 0 && { markersWritten: end.markersWritten }),
    ...(end.usage && { usage: end.usage }),
    ...(failure !== undefined && { failure }),
  }
  try {
    await parts.store.commit({
      scope: session.scope,
      nowMs: parts.clock(),
      result: { requestId, result },
      ...(ledger && { ledger }),
    })
  } catch (error) {
    parts.skipped('store', error, requestId)
  }
}

/** A client that left is no failure of the provider's. */
function failureOf({ isAbandoned, failure }: ReplyEnd): string | undefined {
  return isAbandoned && failure ? 'client-gone' : failure?.code
}

/** What the provider refused it has not cached, and has not billed: the session stands where it stood before. */
function takenBack({ session, packed, before }: Prepared, status: number): Ledger | undefined {
  if (status < 400 || !session || !before || session.ledger !== packed?.encoded?.ledger) return undefined
  session.ledger = before
  return before
}

function count({ metrics, catalogue }: GatewayParts, { prepared, end, overheadMs }: Settled): void {
  const { packed, received } = prepared
  const family = catalogue.info(received.conversation.model).provider
  metrics.requests.inc({ route: received.wire.dialect, status: `${Math.floor(end.status / 100)}xx` })
  metrics.overhead.observe(overheadMs / 1000)
  if (packed) {
    metrics.tokens.inc({ kind: 'original', family }, packed.manifest.originalTokens)
    metrics.tokens.inc({ kind: 'packed', family }, packed.manifest.packTokens)
    const { epoch } = packed.manifest
    if (epoch) metrics.epochs.inc({ decision: epoch.decision, cause: epoch.cause })
  }
  if (end.usage) {
    metrics.tokens.inc({ kind: 'input', family }, end.usage.inputTokens)
    metrics.tokens.inc({ kind: 'cache-read', family }, end.usage.cacheReadTokens ?? 0)
    metrics.tokens.inc({ kind: 'output', family }, end.usage.outputTokens)
  }
  if (end.isAbandoned) metrics.aborts.inc()
  else if (end.failure) metrics.upstreamFailures.inc({ reason: end.failure.code })
}

/** One request, one report: a turn with hidden rounds adds several prompts up and teaches nothing. */
function learn(parts: GatewayParts, { prepared, end }: Settled): void {
  const { packed, received, mode } = prepared
  if (!packed || !end.usage || end.rehydrations > 0 || end.failure || end.status !== 200) return
  const { manifest } = packed
  const sent = mode === 'on' ? manifest.packTokens : manifest.originalTokens
  parts.calibration.observe(received.conversation.model, sent + manifest.overheadTokens, end.usage.inputTokens)
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
