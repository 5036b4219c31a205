import type { Exchange } from '../layers/exchange.ts'
import { endTimes, failureCode } from '../layers/trace.ts'
import type { ReplyEnd } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'

/** Counts and logs a request that was answered. */
export function recordReply(parts: GatewayParts, exchange: Exchange, end: ReplyEnd): void {
  if (exchange.kind !== 'messages') return
  const { metrics, logger } = parts
  const { wire, conversation, settings, trace } = exchange
  const family = parts.catalogue.info(conversation.model).provider
  const { overheadMs, upstreamMs } = endTimes(trace, parts.stopwatch())
  const { usage } = end
  metrics.requests.inc({ route: wire.dialect, status: `${Math.floor(end.status / 100)}xx` })
  metrics.overhead.observe(overheadMs / 1000)
  if (usage) {
    metrics.tokens.inc({ kind: 'input', family }, usage.inputTokens)
    metrics.tokens.inc({ kind: 'cache-read', family }, usage.cacheReadTokens ?? 0)
    metrics.tokens.inc({ kind: 'output', family }, usage.outputTokens)
  }
  if (end.isAbandoned) metrics.aborts.inc()
  else if (end.failure) metrics.upstreamFailures.inc({ reason: end.failure.code })
  logger.info('request', {
    requestId: exchange.id,
    dialect: wire.dialect,
    family,
    mode: settings.mode,
    status: end.status,
    overheadMs,
    upstreamMs,
    ...trace.fields,
    inputTokens: usage?.inputTokens,
    cacheReadTokens: usage?.cacheReadTokens,
    outputTokens: usage?.outputTokens,
    failure: failureCode(end),
  })
}
