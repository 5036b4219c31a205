import * as api from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { openTelemetry } from './open-telemetry.ts'
import type { Tracing } from './tracing.ts'

export interface Telemetry {
  readonly tracing: Tracing
  /** What has ended by now. */
  spans(): readonly ReadableSpan[]
  named(name: string): ReadableSpan
  /** Names of those directly within one, in the order in which they began. */
  within(span: ReadableSpan): readonly string[]
}

/** OpenTelemetry's own SDK, exporting to memory. */
export function telemetry(): Telemetry {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans()
  return {
    tracing: openTelemetry(api, provider.getTracer('prehend')),
    spans,
    named(name) {
      const found = spans().find((span) => span.name === name)
      if (!found)
        throw new Error(
          `there is no span ${name} among ${spans()
            .map((span) => span.name)
            .join(', ')}`,
        )
      return found
    },
    within: (parent) =>
      spans()
        .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent.spanContext().spanId)
        .toSorted((one, other) => one.startTime[0] - other.startTime[0] || one.startTime[1] - other.startTime[1])
        .map(({ name }) => name),
  }
}
