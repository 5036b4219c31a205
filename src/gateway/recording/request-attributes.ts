import type { Usage } from '../../core/index.ts'
import type { SpanAttributes } from '../../tracing/index.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { overheadMs } from '../exchange/trace.ts'
import type { ReplyEnd } from '../outlet/reply.ts'
import { askedBy } from './asked-by.ts'

/** Longer names of models are no names. */
const mostNameChars = 200

/** What is said of a call of a model, by the names of OpenTelemetry's conventions for generative AI. */
export function callAttributes({ kind, wire, conversation }: Exchange): SpanAttributes {
  if (kind !== 'messages') return {}
  return {
    'gen_ai.operation.name': operationOf(wire.dialect),
    ...(conversation.model !== '' && { 'gen_ai.request.model': conversation.model.slice(0, mostNameChars) }),
    'gen_ai.request.stream': conversation.stream,
  }
}

export function operationOf(dialect: string): string {
  return dialect === 'gemini' ? 'generate_content' : 'chat'
}

/** What a provider has reported to have read and written. */
export function usageAttributes(usage: Usage | undefined): SpanAttributes {
  if (!usage) return {}
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    ...(cacheReadTokens !== undefined && { 'gen_ai.usage.cache_read.input_tokens': cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { 'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens }),
  }
}

/** What is known of a request at its end. */
export function requestAttributes(exchange: Exchange, end: ReplyEnd, nowMs: number): SpanAttributes {
  const { id, settings, wire, trace } = exchange
  const { tenant, keyId, team, user } = askedBy(exchange)
  const { originalTokens, packTokens } = trace.fields
  return {
    ...callAttributes(exchange),
    ...usageAttributes(end.usage),
    'prehend.request.id': id,
    'prehend.tenant': tenant,
    'prehend.key.id': keyId,
    ...(team !== undefined && { 'prehend.team': team }),
    ...(user !== undefined && { 'prehend.user': user }),
    'prehend.mode': settings.mode,
    'prehend.dialect': wire.dialect,
    'prehend.overhead_ms': overheadMs(trace, nowMs),
    ...(typeof originalTokens === 'number' && { 'prehend.tokens.in': originalTokens }),
    ...(typeof packTokens === 'number' && { 'prehend.tokens.out': packTokens }),
    ...(trace.skipped.length > 0 && { 'prehend.skipped': trace.skipped }),
  }
}
