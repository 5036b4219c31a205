import type { SpanRecord } from './span-record.ts'

/** Where spans go. `openTelemetry` makes one of the API of OpenTelemetry. */
export interface Tracing {
  /** Begins the span of a request, or of a call in process, that all others lie in. */
  begin(name: string, options?: RootOptions): RootSpan
}

/** Options of the span of a request. */
export interface RootOptions {
  /** `server` is a request that somebody else has sent. */
  readonly kind?: 'internal' | 'server'
  /** W3C trace context of who has asked, as it came in headers; what is none is ignored. */
  readonly traceparent?: string | undefined
  readonly tracestate?: string | undefined
}

/** The open span of a request. */
export interface RootSpan {
  /** What tells somebody who is asked on its behalf whose work that is; absent where nothing is traced. */
  readonly traceparent: string | undefined
  /** Whether what happens within it is wanted. */
  readonly isRecording: boolean
  /** Ends it, with the attributes, the failure and the children of a record. */
  end(record?: Pick<SpanRecord, 'attributes' | 'children' | 'error'>): void
}
