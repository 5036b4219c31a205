import { figuresOfResult, wholeUsd } from '../../stores/index.ts'
import { priceOf } from '../../tokens/index.ts'
import type { Exchange } from '../layers/exchange.ts'
import { failureCode, overheadMs } from '../layers/trace.ts'
import type { ReplyEnd } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'

/** Under this name stand requests that no policy has packed: in mode `off`, and those that nobody could read or pack. */
const noPolicy = 'none'

/**
 * Counts a request of a model that has no receipt to be counted by. It went as it came: everything was sent, and nothing was saved. Its
 * session is of no account.
 */
export async function countUnfiled(parts: GatewayParts, exchange: Exchange, end: ReplyEnd): Promise<void> {
  const { kind, trace, tenant, conversation, id } = exchange
  if (kind !== 'messages' || trace.isFiled) return
  const { usage, status } = end
  const usd = usage && priceOf(usage, parts.catalogueOf(tenant).info(conversation.model))
  const failure = failureCode(end)
  const dollars = usd === undefined ? {} : { usd: wholeUsd(usd), passThroughUsd: wholeUsd(usd) }
  const figures = figuresOfResult({
    status,
    ...(failure !== undefined && { failure }),
    ...(usage && {
      usage,
      cost: { inputTokens: usage.inputTokens, passThroughTokens: usage.inputTokens, ...dollars },
    }),
    skipped: trace.skipped,
    overheadMs: overheadMs(trace, parts.stopwatch()),
    rehydrations: 0,
  })
  const tally = { model: conversation.model, policy: noPolicy, figures }
  try {
    await parts.store.commit({ scope: { tenant, session: 'unfiled' }, nowMs: exchange.receivedMs, tally })
  } catch (error) {
    parts.skipped('store', error, id)
  }
}
