import type { Ledger } from '../../../core/index.ts'
import type { ReceiptResult } from '../../../stores/index.ts'
import type { ReplyEnd } from '../../outlet/reply.ts'
import type { GatewayParts } from '../../parts.ts'
import type { SessionRequest } from '../../prepare.ts'
import type { Exchange } from '../exchange.ts'
import { endTimes, failureCode } from '../trace.ts'

/** A turn of a session that is over. */
export interface EndedTurn {
  readonly exchange: Exchange
  readonly prepared: SessionRequest
  readonly end: ReplyEnd
  /** Calls of our own tools that were answered. */
  readonly rehydrations: number
  readonly markersWritten: number
}

/** Records how a turn ended: in the receipt, in the metrics, for the log, and in what is known of the model's counts. */
export async function fileResult(parts: GatewayParts, turn: EndedTurn): Promise<void> {
  const { exchange, prepared, rehydrations, markersWritten } = turn
  const { manifest } = prepared.packed
  exchange.trace.tell({
    originalTokens: manifest.originalTokens,
    packTokens: manifest.packTokens,
    epoch: manifest.epoch?.cause,
    rehydrations,
    markersWritten,
  })
  count(parts, prepared)
  learn(parts, turn)
  await commit(parts, turn)
}

async function commit(parts: GatewayParts, { exchange, prepared, end, ...turn }: EndedTurn): Promise<void> {
  const { session } = prepared
  const ledger = takenBack(prepared, end.status)
  const failure = failureCode(end)
  const result: ReceiptResult = {
    status: end.status,
    rehydrations: turn.rehydrations,
    ...endTimes(exchange.trace, parts.stopwatch()),
    ...(turn.markersWritten > 0 && { markersWritten: turn.markersWritten }),
    ...(end.usage && { usage: end.usage }),
    ...(failure !== undefined && { failure }),
  }
  try {
    await parts.store.commit({
      scope: session.scope,
      nowMs: parts.clock(),
      result: { requestId: exchange.id, result },
      ...(ledger && { ledger }),
    })
  } catch (error) {
    parts.skipped('store', error, exchange.id)
  }
}

/** What the provider refused it has not cached, and has not billed: the session stands where it stood before. */
function takenBack({ session, packed, before }: SessionRequest, status: number): Ledger | undefined {
  if (status < 400 || !before || session.ledger !== packed.encoded?.ledger) return undefined
  session.ledger = before
  return before
}

function count({ metrics, catalogue }: GatewayParts, { packed: { manifest }, received }: SessionRequest): void {
  const family = catalogue.info(received.conversation.model).provider
  metrics.tokens.inc({ kind: 'original', family }, manifest.originalTokens)
  metrics.tokens.inc({ kind: 'packed', family }, manifest.packTokens)
  const { epoch } = manifest
  if (epoch) metrics.epochs.inc({ decision: epoch.decision, cause: epoch.cause })
}

/** One request, one report: a turn with hidden rounds adds several prompts up and teaches nothing. */
function learn(parts: GatewayParts, { prepared, end, rehydrations }: EndedTurn): void {
  if (!end.usage || rehydrations > 0 || end.failure || end.status !== 200) return
  const { manifest } = prepared.packed
  const sent = prepared.mode === 'on' ? manifest.packTokens : manifest.originalTokens
  const { model } = prepared.received.conversation
  parts.calibration.observe(model, sent + manifest.overheadTokens, end.usage.inputTokens)
}
