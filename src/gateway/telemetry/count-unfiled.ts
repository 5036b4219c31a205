import { noPolicy, unpackedCommit } from '../../sessions/index.ts'
import { figuresOfResult, wholeUsd } from '../../stores/index.ts'
import type { Commit, ReceiptResult } from '../../stores/index.ts'
import { priceOf } from '../../tokens/index.ts'
import type { Exchange } from '../layers/exchange.ts'
import { endTimes, failureCode } from '../layers/trace.ts'
import type { ReplyEnd } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'

/**
 * Files a request of a model that nobody could read or pack, and counts one of mode `off`, which has no receipt to be counted by. It went as it came: everything was
 * sent, and nothing was saved.
 */
export async function countUnfiled(parts: GatewayParts, exchange: Exchange, end: ReplyEnd): Promise<void> {
  const { kind, trace, id } = exchange
  if (kind !== 'messages' || trace.isFiled) return
  const result = resultOf(parts, exchange, end)
  try {
    await parts.store.commit(receiptCommit(parts, exchange, result) ?? tallyCommit(exchange, result))
  } catch (error) {
    parts.skipped('store', error, id)
  }
}

function resultOf(
  parts: GatewayParts,
  { trace, tenant, conversation, unread }: Exchange,
  end: ReplyEnd,
): ReceiptResult {
  const { usage, status } = end
  const usd = usage && priceOf(usage, parts.catalogueOf(tenant).info(conversation.model))
  const failure = failureCode(end)
  const paid = usd === undefined ? undefined : wholeUsd(usd)
  const dollars = paid === undefined ? {} : { usd: paid, passThroughUsd: paid, clientUsd: paid }
  return {
    status,
    rehydrations: 0,
    ...endTimes(trace, parts.stopwatch()),
    ...(failure !== undefined && { failure }),
    ...(usage && {
      usage,
      cost: { inputTokens: usage.inputTokens, passThroughTokens: usage.inputTokens, ...dollars },
    }),
    ...(trace.skipped.length > 0 && { skipped: trace.skipped }),
    ...(unread && 'field' in unread.data && { unreadField: unread.data.field }),
  }
}

/** What failed because of the store is not tried again: its receipt may come yet. */
const ofStore: ReadonlySet<string> = new Set(['store', 'conflict'])

/** Undefined where there is to be no receipt: in mode `off`, and where nothing was sent. */
function receiptCommit(
  parts: GatewayParts,
  { id: requestId, tenant, receivedMs, settings: { step }, trace, received: { exchange } }: Exchange,
  result: ReceiptResult,
): Commit | undefined {
  const { wentAs: sent } = trace
  if (sent === undefined || trace.sent === undefined || trace.skipped.some((name) => ofStore.has(name)))
    return undefined
  const info = parts.catalogueOf(tenant).info(exchange.conversation.model)
  return unpackedCommit(parts.sessionParts, { requestId, tenant, exchange, sent, info, receivedMs, step, result })
}

/** Its session is of no account. */
function tallyCommit({ tenant, conversation, receivedMs }: Exchange, result: ReceiptResult): Commit {
  const tally = { model: conversation.model, policy: noPolicy, figures: figuresOfResult(result) }
  return { scope: { tenant, session: 'unfiled' }, nowMs: receivedMs, tally }
}
