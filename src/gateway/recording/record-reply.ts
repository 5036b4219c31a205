import type { Exchange } from '../exchange/exchange.ts'
import { spentTimes, failureCode } from '../exchange/trace.ts'
import type { ReplyEnd } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'
import { answerLabels } from './answer-labels.ts'
import { askedBy } from './asked-by.ts'
import { loggedPath } from '../telemetry/turned-away.ts'

/** Counts and logs a request that was answered. */
export function recordReply(parts: GatewayParts, exchange: Exchange, end: ReplyEnd): void {
  const by = answerLabels(parts, exchange)
  parts.metrics.answers.inc({ ...by, status: String(end.status) })
  if (exchange.kind === 'forward') recordForwarded(parts, exchange, end)
  if (exchange.kind !== 'messages') return
  const { metrics, logger } = parts
  const { wire, conversation, settings, trace } = exchange
  const family = parts.catalogue.info(conversation.model).provider
  const { overheadMs, upstreamMs } = spentTimes(trace, parts.stopwatch())
  const { usage } = end
  metrics.requests.inc({ route: wire.dialect, status: `${Math.floor(end.status / 100)}xx` })
  metrics.overhead.observe(overheadMs / 1000)
  metrics.duration.observe((overheadMs + upstreamMs) / 1000)
  if (usage) {
    metrics.tokens.inc({ kind: 'input', family }, usage.inputTokens)
    metrics.tokens.inc({ kind: 'cache-read', family }, usage.cacheReadTokens ?? 0)
    metrics.tokens.inc({ kind: 'cache-write', family }, usage.cacheWriteTokens ?? 0)
    metrics.tokens.inc({ kind: 'output', family }, usage.outputTokens)
    metrics.used.inc({ ...by, kind: 'input' }, usage.inputTokens)
    metrics.used.inc({ ...by, kind: 'cache-read' }, usage.cacheReadTokens ?? 0)
    metrics.used.inc({ ...by, kind: 'output' }, usage.outputTokens)
    if (upstreamMs > 0 && usage.outputTokens > 0) metrics.outputRate.observe((1000 * usage.outputTokens) / upstreamMs)
  }
  if (end.isAbandoned) metrics.aborts.inc()
  else if (end.failure) metrics.upstreamFailures.inc({ reason: end.failure.code })
  logger.info('request', {
    requestId: exchange.id,
    ...askedBy(exchange),
    model: by.model,
    dialect: wire.dialect,
    family,
    mode: settings.mode,
    upstream: trace.sent?.upstream,
    status: end.status,
    overheadMs,
    upstreamMs,
    ...trace.fields,
    inputTokens: usage?.inputTokens,
    cacheReadTokens: usage?.cacheReadTokens,
    cacheWriteTokens: usage?.cacheWriteTokens,
    outputTokens: usage?.outputTokens,
    failure: failureCode(end),
  })
}

/** What went on to a provider unread: where to, and nothing of what it said. */
function recordForwarded({ metrics, logger, stopwatch }: GatewayParts, exchange: Exchange, end: ReplyEnd): void {
  const { overheadMs, upstreamMs } = spentTimes(exchange.trace, stopwatch())
  metrics.requests.inc({ route: 'forwarded', status: `${Math.floor(end.status / 100)}xx` })
  if (end.isAbandoned) metrics.aborts.inc()
  logger.info('forwarded', {
    requestId: exchange.id,
    ...askedBy(exchange),
    method: exchange.method,
    path: loggedPath(exchange.wire.path),
    upstream: exchange.trace.sent?.upstream,
    status: end.status,
    overheadMs,
    upstreamMs,
    failure: failureCode(end),
  })
}
