/** A body that is passed on while it comes. */
export interface Upload {
  /** Read once, and left by `return()` where it is not read to its end. */
  readonly pieces: AsyncIterable<Uint8Array>
  /** Absent where it is not known beforehand. */
  readonly sizeBytes?: number
}

/** A request to a provider. `path` is what a client of the provider would ask for, such as `/v1/messages`. */
export interface UpstreamRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Instead of a body. */
  readonly upload?: Upload
  readonly signal: AbortSignal
  /** Its own patience; that of its provider by default. */
  readonly timeouts?: UpstreamTimeouts
}

/** A reply whose body is still on its way; it must be read to its end, or aborted, or left by `return()`. */
export interface UpstreamReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: AsyncIterable<Uint8Array>
}

/**
 * A provider. Whatever it answers comes back as it is, errors included. `send`, and the body while it is read, reject
 * with `upstream-unreachable`, `upstream-timeout` or `upstream-broken`, or with the signal's reason if that is ours.
 */
export interface Upstream {
  readonly name: string
  send(request: UpstreamRequest): Promise<UpstreamReply>
  /** Lets replies that are under way come to their end. */
  close(): Promise<void>
}

/** Each phase of an exchange has its own patience, in milliseconds. */
export interface UpstreamTimeouts {
  readonly connectMs: number
  /** From the connection to the status line. */
  readonly firstByteMs: number
  /** Longest silence in a body that is being read. */
  readonly idleMs: number
  readonly totalMs: number
}

export const defaultTimeouts: UpstreamTimeouts = {
  connectMs: 10_000,
  firstByteMs: 600_000,
  idleMs: 300_000,
  totalMs: 3_600_000,
}
