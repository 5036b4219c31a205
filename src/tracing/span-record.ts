/** What is said of a span: names, numbers and codes, never what was said to a model. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** A span that is over: plain data, so that it can cross threads. */
export interface SpanRecord {
  readonly name: string
  /** `client` is a call of somebody else, such as a provider. */
  readonly kind: 'internal' | 'client'
  /** In milliseconds since the epoch, to a fraction. */
  readonly startMs: number
  readonly endMs: number
  readonly attributes: SpanAttributes
  /** The code of what it failed with; absent where it did not. */
  readonly error?: string
  readonly children: readonly SpanRecord[]
}
