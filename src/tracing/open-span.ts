import type { SpanAttributes, SpanRecord } from './span-record.ts'

/** A span under way. It costs a few fields; to whom it goes is decided when all is over. */
export interface OpenSpan {
  /** Begins one within it. */
  child(name: string, kind?: SpanRecord['kind']): OpenSpan
  set(attributes: SpanAttributes): void
  /** It failed, with this code. */
  fail(code: string): void
  /** The first time counts. */
  end(): void
  /** As it is by now; what has not ended yet ends now. */
  record(): SpanRecord
}

/** Milliseconds since the epoch that do not go back. */
function nowMs(): number {
  return performance.timeOrigin + performance.now()
}

export function openSpan(name: string, kind: SpanRecord['kind'] = 'internal', clock = nowMs): OpenSpan {
  const startMs = clock()
  const children: OpenSpan[] = []
  let attributes: SpanAttributes = {}
  let error: string | undefined
  let endMs: number | undefined
  return {
    child(own, ownKind = 'internal') {
      const span = openSpan(own, ownKind, clock)
      children.push(span)
      return span
    },
    set: (more) => void (attributes = { ...attributes, ...more }),
    fail: (code) => void (error = code),
    end: () => void (endMs ??= clock()),
    record: () => ({
      name,
      kind,
      startMs,
      endMs: (endMs ??= clock()),
      attributes,
      ...(error !== undefined && { error }),
      children: children.map((child) => child.record()),
    }),
  }
}

/** The code of an error, or its name: never its message, which may quote what a client sent. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
