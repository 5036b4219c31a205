import { noPolicy, unpackedCommit } from '../../sessions/index.ts'
import { figuresOfResult, wholeUsd } from '../../stores/index.ts'
import type { ReceiptResult } from '../../stores/index.ts'
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
    if (!(await isFiledNow(parts, exchange, result))) await counted(parts, exchange, result)
  } catch (error) {
    parts.skipped('store', error, id)
  }
}

function resultOf(parts: GatewayParts, { trace, tenant, conversation }: Exchange, end: ReplyEnd): ReceiptResult {
  const { usage, status } = end
  const usd = usage && priceOf(usage, parts.catalogueOf(tenant).info(conversation.model))
  const failure = failureCode(end)
  const dollars = usd === undefined ? {} : { usd: wholeUsd(usd), passThroughUsd: wholeUsd(usd) }
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
  }
}

/** What failed because of the store is not tried again: its receipt may come yet. */
const ofStore: ReadonlySet<string> = new Set(['store', 'conflict'])

/** False where there is to be no receipt: in mode `off`, where nothing was sent, and where it cannot be written. */
async function isFiledNow(
  parts: GatewayParts,
  { id: requestId, tenant, receivedMs, settings: { step }, trace, received: { exchange } }: Exchange,
  result: ReceiptResult,
): Promise<boolean> {
  const { wentAs: sent } = trace
  if (sent === undefined || trace.sent === undefined || trace.skipped.some((name) => ofStore.has(name))) return false
  const info = parts.catalogueOf(tenant).info(exchange.conversation.model)
  const request = { requestId, tenant, exchange, sent, info, receivedMs, step, result }
  return parts.store.commit(unpackedCommit(parts.sessionParts, request)).then(
    () => true,
    () => false,
  )
}

/** Its session is of no account. */
function counted({ store }: GatewayParts, exchange: Exchange, result: ReceiptResult): Promise<void> {
  const { tenant, conversation, receivedMs } = exchange
  const tally = { model: conversation.model, policy: noPolicy, figures: figuresOfResult(result) }
  return store.commit({ scope: { tenant, session: 'unfiled' }, nowMs: receivedMs, tally })
}
