export { errorCode, openSpan } from './open-span.ts'
export type { OpenSpan } from './open-span.ts'
export { openTelemetry } from './open-telemetry.ts'
export type {
  OpenTelemetryApi,
  OpenTelemetrySpan,
  OpenTelemetrySpanOptions,
  OpenTelemetryTracer,
} from './open-telemetry.ts'
export type { SpanAttributes, SpanRecord } from './span-record.ts'
export { stageSpans } from './stage-spans.ts'
export { readTraceparent, writeTraceparent } from './traceparent.ts'
export type { RemoteSpan } from './traceparent.ts'
export type { RootOptions, RootSpan, Tracing } from './tracing.ts'
