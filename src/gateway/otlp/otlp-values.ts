import type { SpanAttributes } from '../../tracing/index.ts'

/** A key and its value as OTLP writes them in JSON. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
export interface OtlpAttribute {
  readonly key: string
  readonly value: OtlpValue
}

type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  /** 64 bits are text in JSON. */
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } }

export function otlpAttributes(attributes: SpanAttributes): readonly OtlpAttribute[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }))
}

function valueOf(value: SpanAttributes[string]): OtlpValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'object') return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Nanoseconds as text. A number holds microseconds of the epoch, and no more. */
export function nanosOf(ms: number): string {
  return `${Math.round(ms * 1000)}000`
}
