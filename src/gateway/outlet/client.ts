import type { ServerResponse } from 'node:http'
import type { Codec } from '../../codecs/index.ts'
import type { ResponseHeaders } from './reply.ts'

/** The client that a reply goes to. */
export interface Client {
  readonly response: ServerResponse
  readonly codec: Codec
  readonly requestId: string
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  /** Ours, which win over the reply's. */
  readonly headers: ResponseHeaders
  /** Told of filters that failed and were left out. */
  readonly skipped: (name: string, error: unknown) => void
}
