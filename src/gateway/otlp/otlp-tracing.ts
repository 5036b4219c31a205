import { readTraceparent, writeTraceparent } from '../../tracing/index.ts'
import type { RootOptions, RootSpan, SpanRecord, Tracing } from '../../tracing/index.ts'
import { nanosOf, otlpAttributes } from './otlp-values.ts'
import type { OtlpAttribute } from './otlp-values.ts'

/** A span as OTLP writes it in JSON. */
export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly OtlpAttribute[]
  readonly status: { readonly code?: number }
}

export interface OtlpTracingParts {
  /** Milliseconds since the epoch, to a fraction. */
  readonly nowMs: () => number
  /** So many random bytes as hexadecimal digits. */
  readonly randomHex: (bytes: number) => string
  readonly ended: (spans: readonly OtlpSpan[], root: EndedRoot) => void
}

export type EndedRoot = Pick<SpanRecord, 'children'>

const spanKinds = { internal: 1, server: 2, client: 3 } as const
const errorStatus = 2

/** Spans as OTLP has them. A request that a caller has not sampled is not recorded either. */
export function otlpTracing(parts: OtlpTracingParts): Tracing {
  return { begin: (name, options = {}) => begun(parts, name, options) }
}

function begun({ nowMs, randomHex, ended }: OtlpTracingParts, name: string, options: RootOptions): RootSpan {
  const startMs = nowMs()
  const parent = readTraceparent(options.traceparent)
  const own = {
    traceId: parent?.traceId ?? randomHex(16),
    spanId: randomHex(8),
    traceFlags: parent?.traceFlags ?? 1,
  }
  const isRecording = own.traceFlags === 1
  return {
    traceparent: writeTraceparent(own),
    isRecording,
    end(record) {
      if (!isRecording) return
      const { attributes = {}, children = [], error } = record ?? {}
      const shown = { name, kind: options.kind ?? 'internal', startMs, endMs: nowMs(), attributes } as const
      const whole = { ...shown, children, ...(error !== undefined && { error }) }
      const place = {
        traceId: own.traceId,
        spanId: own.spanId,
        ...(parent && { parentSpanId: parent.spanId }),
        ...(parent && options.tracestate !== undefined && { traceState: options.tracestate }),
      }
      ended(spansOf(whole, place, randomHex), { children })
    },
  }
}

type Place = Pick<OtlpSpan, 'traceId' | 'spanId' | 'parentSpanId' | 'traceState'>
type AnyRecord = Omit<SpanRecord, 'kind'> & { readonly kind: keyof typeof spanKinds }

function spansOf(record: AnyRecord, place: Place, randomHex: OtlpTracingParts['randomHex']): readonly OtlpSpan[] {
  const { name, kind, startMs, endMs, attributes, error, children } = record
  const own: OtlpSpan = {
    ...place,
    name,
    kind: spanKinds[kind],
    startTimeUnixNano: nanosOf(startMs),
    endTimeUnixNano: nanosOf(endMs),
    attributes: otlpAttributes(error === undefined ? attributes : { ...attributes, 'error.type': error }),
    status: error === undefined ? {} : { code: errorStatus },
  }
  const below = children.flatMap((child) => {
    const ofChild = { traceId: place.traceId, spanId: randomHex(8), parentSpanId: place.spanId }
    return spansOf(child, ofChild, randomHex)
  })
  return [own, ...below]
}
