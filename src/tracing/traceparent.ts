/** A span of somebody else's. */
export interface RemoteSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** 1 where it is sampled. */
  readonly traceFlags: number
}

/**
 * Reads the header of W3C Trace Context; undefined for what is none, as the standard wants it.
 * https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function readTraceparent(text: string | undefined): RemoteSpan | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = form.exec(text ?? '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  return isNamed(traceId) && isNamed(spanId)
    ? { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 }
    : undefined
}

/** Undefined for a span that has no id, because nobody traces. */
export function writeTraceparent({ traceId, spanId, traceFlags }: RemoteSpan): string | undefined {
  if (!isNamed(traceId) || !isNamed(spanId)) return undefined
  return `00-${traceId}-${spanId}-${(traceFlags & 1) === 1 ? '01' : '00'}`
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?$/

function isNamed(id: string): boolean {
  return /[1-9a-f]/.test(id)
}
