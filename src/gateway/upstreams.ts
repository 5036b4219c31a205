import type { Dialect } from '../core/index.ts'

export interface UpstreamRequest {
  readonly method: string
  /** Path and query, such as `/v1/messages`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly signal: AbortSignal
}

/** A reply whose body is still on its way; it must be read to its end, or aborted. */
export interface UpstreamReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: AsyncIterable<Uint8Array>
}

/** A provider. Rejects with `upstream-unreachable`, `upstream-timeout` or `upstream-broken`. */
export interface Upstream {
  readonly name: string
  send(request: UpstreamRequest): Promise<UpstreamReply>
}

export interface Upstreams {
  /** Where requests of a dialect for a model go. */
  for(dialect: Dialect, model: string): Upstream
  close(): Promise<void>
}
