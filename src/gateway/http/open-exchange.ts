import { traceListeners } from '../layers/contributions.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { findSession } from '../layers/find-session.ts'
import { sentBytes } from '../../sessions/index.ts'
import { budgetFacts } from '../exchange/budget-facts.ts'
import { requestSettings } from '../exchange/request-settings.ts'
import { openTrace } from '../exchange/trace.ts'
import type { OpenSpan } from '../../tracing/index.ts'
import type { GatewayParts } from '../parts.ts'
import type { ArrivedRequest } from './arrived.ts'
import { readRequest, withoutBody } from './read-request.ts'
import type { ReadRequest } from './read-request.ts'

export interface OpenExchange {
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  /** That the request is in. */
  readonly span?: OpenSpan | undefined
  readonly ends: Pick<Exchange, 'whenEnded' | 'whenAnswered'>
}

/** Decodes a request, as far as it can be read. Throws on what is not to go on. */
export function openExchange(parts: GatewayParts, arrived: ArrivedRequest, options: OpenExchange): Exchange {
  const { requestId: id, route, tenant, principal, method, headers, receivedMs, startedMs, whenSent } = arrived
  const { kind, codec } = route
  const { unread, extension, upstream, ...received } = readAsFarAsMeant(parts, arrived)
  const listeners = traceListeners(parts, id)
  const trace = openTrace({ stopwatch: parts.stopwatch, startedMs, whenSent, listeners })
  const outlay = budgeted.has(kind)
    ? parts.budgets.outlay({ principal, isRequest: true, told: (figures) => trace.note(budgetFacts, figures) })
    : undefined
  const settings = requestSettings(extension, { ...parts, tenant, headers })
  if (unread) {
    const stage = stageThatFailed[unread.code] ?? 'decode'
    trace.skip(stage)
    parts.skipped(stage, unread, id)
    // Before it goes: the memory of its bytes is given back then.
    if (kind === 'messages' && settings.mode !== 'off' && received.bytes) trace.goAs(sentBytes(received.bytes))
  }
  return {
    ...received.exchange,
    id,
    kind,
    tenant,
    principal,
    receivedMs,
    method,
    headers,
    codec,
    settings: kind === 'forward' ? { ...settings, mode: 'off' } : settings,
    signal: options.signal,
    trace,
    whenEnded: options.ends.whenEnded,
    whenAnswered: options.ends.whenAnswered,
    ...(options.span && { span: options.span }),
    received,
    findSession: (exchange) => findSession(parts, exchange),
    collected: [],
    rewrites: [],
    restores: [],
    ...(outlay && { outlay }),
    ...(unread && { unread }),
    ...(upstream !== undefined && { upstream }),
  }
}

/** Requests that providers bill. */
const budgeted: ReadonlySet<string> = new Set(['messages', 'forward'])

/** By why a request goes on unread. */
const stageThatFailed: Readonly<Record<string, string>> = { 'beyond-limits': 'too-large', 'internal': 'compile' }

function readAsFarAsMeant(parts: GatewayParts, { bytes, upload, ...arrived }: ArrivedRequest): ReadRequest {
  if (bytes) return readRequest(parts, { ...arrived, bytes })
  return { exchange: withoutBody(arrived.route, arrived.headers), ...(upload && { upload }) }
}
