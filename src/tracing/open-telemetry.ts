import type { SpanAttributes, SpanRecord } from './span-record.ts'
import { readTraceparent, writeTraceparent } from './traceparent.ts'
import type { RemoteSpan } from './traceparent.ts'
import type { RootOptions, RootSpan, Tracing } from './tracing.ts'

/** What is used of the package `@opentelemetry/api`, which fits as it is. */
export interface OpenTelemetryApi {
  readonly trace: {
    /** As `trace.getTracer` of the API. */
    getTracer(name: string, version?: string): OpenTelemetryTracer
    /** As `trace.setSpan` of the API. */
    setSpan(context: unknown, span: OpenTelemetrySpan): unknown
    /** As `trace.getSpan` of the API. */
    getSpan(context: unknown): OpenTelemetrySpan | undefined
    /** As `trace.setSpanContext` of the API. */
    setSpanContext(context: unknown, spanContext: RemoteSpan & { readonly isRemote: true }): unknown
  }
  readonly context: {
    /** As `context.active` of the API. */
    active(): unknown
  }
  /** As `createTraceState` of the API; where it is absent, no `tracestate` is passed on. */
  createTraceState?(text: string): unknown
}

/** What is used of the API's `Tracer`. */
export interface OpenTelemetryTracer {
  /** Starts a span whose parent is the span of the context. */
  startSpan(name: string, options: OpenTelemetrySpanOptions, context: unknown): OpenTelemetrySpan
}

/** What is used of the API's `SpanOptions`. */
export interface OpenTelemetrySpanOptions {
  readonly kind?: number
  /** In milliseconds since the epoch. */
  readonly startTime?: number
  readonly attributes?: Record<string, string | number | boolean | string[]>
}

/** What is used of the API's `Span`. */
export interface OpenTelemetrySpan {
  /** The ids of the span. */
  spanContext(): RemoteSpan
  /** Adds attributes. */
  setAttributes(attributes: Record<string, string | number | boolean | string[]>): unknown
  /** Sets the status; code 2 is a failure. */
  setStatus(status: { code: number; message?: string }): unknown
  /** Whether anybody collects the span. */
  isRecording(): boolean
  /** Ends the span, at a time in milliseconds since the epoch. */
  end(endTime?: number): void
}

/** As OpenTelemetry numbers them, for as long as its first version lasts. */
const spanKinds = { internal: 0, server: 1, client: 2 } as const
const errorStatus = 2

/**
 * Spans to OpenTelemetry, by its API and the tracer provider that the host has registered there, or by a tracer of the host's.
 *
 * ```ts
 * import * as api from '@opentelemetry/api'
 * const gateway = await openGateway(config, { store, tracing: openTelemetry(api) })
 * ```
 */
export function openTelemetry(api: OpenTelemetryApi, tracer = api.trace.getTracer('prehend')): Tracing {
  return {
    begin(name, options = {}) {
      const context = parentOf(api, options)
      const span = tracer.startSpan(name, { kind: spanKinds[options.kind ?? 'internal'] }, context)
      return rootSpan(span, (children) => {
        const within = api.trace.setSpan(context, span)
        for (const child of children) write(api, tracer, { child, within })
      })
    },
  }
}

/** The span that the host is in, where there is one; else the one that a request names. */
function parentOf(api: OpenTelemetryApi, { traceparent, tracestate }: RootOptions): unknown {
  const active = api.context.active()
  const remote = readTraceparent(traceparent)
  if (api.trace.getSpan(active) !== undefined || remote === undefined) return active
  const traceState = tracestate === undefined ? undefined : api.createTraceState?.(tracestate)
  return api.trace.setSpanContext(active, {
    ...remote,
    isRemote: true,
    ...(traceState !== undefined && { traceState }),
  })
}

function rootSpan(span: OpenTelemetrySpan, writeAll: (children: readonly SpanRecord[]) => void): RootSpan {
  return {
    traceparent: writeTraceparent(span.spanContext()),
    isRecording: span.isRecording(),
    end(record) {
      if (record) {
        writeAll(record.children)
        tell(span, record)
      }
      span.end()
    },
  }
}

interface Writing {
  readonly child: SpanRecord
  readonly within: unknown
}

function write(api: OpenTelemetryApi, tracer: OpenTelemetryTracer, { child, within }: Writing): void {
  const span = tracer.startSpan(child.name, { kind: spanKinds[child.kind], startTime: child.startMs }, within)
  const inside = api.trace.setSpan(within, span)
  for (const grandchild of child.children) write(api, tracer, { child: grandchild, within: inside })
  tell(span, child)
  span.end(child.endMs)
}

function tell(span: OpenTelemetrySpan, { attributes, error }: Pick<SpanRecord, 'attributes' | 'error'>): void {
  span.setAttributes(copied(attributes))
  if (error === undefined) return
  span.setAttributes({ 'error.type': error })
  span.setStatus({ code: errorStatus })
}

function copied(attributes: SpanAttributes): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]),
  )
}
