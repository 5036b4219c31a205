import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SpanRecord, Tracing } from '../../tracing/index.ts'
import type { ArrivedRequest } from './arrived.ts'
import type { ProviderRoute } from './provider-route.ts'

/** A request before the eyes of whoever traces. */
export interface TracedRequest {
  /** The same request, which says upstream whose work it is, and how its way went. */
  arrived(arrived: ArrivedRequest): ArrivedRequest
  ended(): void
}

export interface RequestToTrace {
  readonly route: ProviderRoute
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const untraced: TracedRequest = { arrived: (arrived) => arrived, ended: () => undefined }

/** Begins the span of a request, as the child of the one that its `traceparent` names; does nothing where nobody traces. */
export function tracedRequest(
  tracing: Tracing | undefined,
  { route, request, response }: RequestToTrace,
): TracedRequest {
  if (tracing === undefined) return untraced
  const { traceparent, tracestate } = request.headers
  const root = tracing.begin(`prehend.request ${route.kind}`, {
    kind: 'server',
    traceparent: oneOf(traceparent),
    tracestate: oneOf(tracestate),
  })
  let record: SpanRecord | undefined
  return {
    arrived: (arrived) => ({
      ...arrived,
      ...(root.traceparent !== undefined && { headers: { ...arrived.headers, traceparent: root.traceparent } }),
      ...(root.isRecording && { whenTraced: (told: SpanRecord) => void (record = told) }),
    }),
    ended() {
      const { statusCode } = response
      const attributes = {
        ...record?.attributes,
        'http.request.method': request.method ?? 'GET',
        'http.response.status_code': statusCode,
      }
      const error = record?.error ?? (statusCode >= 500 ? String(statusCode) : undefined)
      root.end({ attributes, children: record?.children ?? [], ...(error !== undefined && { error }) })
    },
  }
}

function oneOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header
}
