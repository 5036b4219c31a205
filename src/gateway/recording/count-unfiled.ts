import { noPolicy, sentBytes, unpackedUnit } from '../../sessions/index.ts'
import { countedOf, wholeUsd } from '../../stores/index.ts'
import type { ExchangeCost, ReceiptResult, Scope, Unit } from '../../stores/index.ts'
import { priceOf } from '../../tokens/index.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { wayTaken, failureCode } from '../exchange/trace.ts'
import type { StoppedAt } from '../exchange/trace.ts'
import type { ReplyEnd } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'
import { answerLabels } from './answer-labels.ts'
import { askerOf } from './asked-by.ts'
import { spendingWrites } from './spending-writes.ts'
import { unsentCost } from './unsent-cost.ts'

/**
 * Files a request of a model that nobody could read or pack, or that a layer has answered or refused, and counts one of mode `off`,
 * which has no receipt to be counted by. What was sent went as it came: everything was sent, and nothing was saved.
 */
export async function countUnfiled(parts: GatewayParts, exchange: Exchange, end: ReplyEnd): Promise<void> {
  const { kind, trace, id } = exchange
  if (kind !== 'messages' || trace.isFiled) return
  const result = resultOf(parts, exchange, end)
  if (result.cost?.usd !== undefined) parts.metrics.spent.inc(answerLabels(parts, exchange), result.cost.usd)
  try {
    const unit = (await receiptUnit(parts, exchange, result)) ?? tallyUnit(exchange, result)
    await parts.store.commit({ ...unit, writes: [...unit.writes, ...spendingWrites(exchange)] })
    exchange.outlay?.filed(true)
  } catch (error) {
    exchange.outlay?.filed(false)
    parts.skipped('store', error, id)
  }
}

function resultOf(parts: GatewayParts, exchange: Exchange, end: ReplyEnd): ReceiptResult {
  const { trace, unread } = exchange
  const { usage, status } = end
  const failure = failureCode(end)
  const cost = trace.sent || end.failure ? paidCost(parts, exchange, end) : stoppedCost(parts, exchange, end)
  return {
    status,
    rehydrations: 0,
    ...wayTaken(trace, parts.stopwatch()),
    ...(failure !== undefined && { failure }),
    ...(usage && { usage }),
    ...(cost && { cost }),
    ...askerOf(exchange),
    ...(trace.routed && { routed: trace.routed }),
    ...(trace.skipped.length > 0 && { skipped: trace.skipped }),
    ...(unread && 'field' in unread.data && { unreadField: unread.data.field }),
  }
}

function paidCost(
  { catalogueOf }: GatewayParts,
  { tenant, conversation }: Exchange,
  { usage }: ReplyEnd,
): ExchangeCost | undefined {
  if (usage === undefined) return undefined
  const { inputTokens } = usage
  const usd = priceOf(usage, catalogueOf(tenant).info(conversation.model))
  const paid = usd === undefined ? undefined : wholeUsd(usd)
  const dollars = paid === undefined ? {} : { usd: paid, passThroughUsd: paid, clientUsd: paid }
  return { inputTokens, passThroughTokens: inputTokens, ...dollars }
}

function stoppedCost(
  { catalogueOf }: GatewayParts,
  { tenant, received, trace, settings }: Exchange,
  end: ReplyEnd,
): ExchangeCost | undefined {
  if (trace.stopped === undefined || settings.mode === 'off') return undefined
  return unsentCost(catalogueOf(tenant), received.exchange.conversation, end)
}

/** Undefined where there is to be no receipt: in mode `off`, and where nobody had to do with the request. */
async function receiptUnit(
  parts: GatewayParts,
  { id: requestId, tenant, receivedMs, settings, trace, received: { exchange, bytes } }: Exchange,
  result: ReceiptResult,
): Promise<Unit | undefined> {
  const { wentAs, stopped, sent } = trace
  // Its receipt may come yet.
  if (trace.skipped.includes('store')) return undefined
  const info = parts.catalogueOf(tenant).info(exchange.conversation.model)
  const filed = { requestId, tenant, exchange, info, receivedMs, step: settings.step, result }
  if (sent !== undefined)
    return wentAs && unpackedUnit(parts.sessionParts, { ...filed, mode: 'unpacked', sent: wentAs })
  if (stopped === undefined || settings.mode === 'off' || bytes === undefined) return undefined
  const scope = await scopeOf(parts, tenant, stopped)
  return unpackedUnit(parts.sessionParts, { ...filed, mode: 'answered', sent: sentBytes(bytes), scope })
}

/** By the request as the layers had made it by then: that is what its session goes by. What nobody could read does not say. */
async function scopeOf(
  { sessions }: GatewayParts,
  tenant: string,
  { session, wire, conversation }: StoppedAt,
): Promise<Scope | undefined> {
  if (session) return session.scope
  if (conversation.items.length === 0) return undefined
  return (await sessions.belonging(tenant, { wire, conversation })).scope
}

/** Its session is of no account. */
function tallyUnit({ tenant, conversation, receivedMs }: Exchange, result: ReceiptResult): Unit {
  const tally = { model: conversation.model, policy: noPolicy, ...countedOf(result) }
  return {
    scope: { tenant, session: 'unfiled' },
    nowMs: receivedMs,
    urgency: 'idle',
    writes: [{ table: 'results', tally }],
  }
}
