import type { ServerResponse } from 'node:http'
import type { Codec } from '../../codecs/index.ts'
import { isPrehendError } from '../../core/index.ts'
import type { ResponseHeaders } from './reply.ts'

/** The client that a reply goes to. */
export interface Client {
  readonly response: ServerResponse
  readonly codec: Codec
  readonly requestId: string
  /** Aborted when the client has left, and when the gateway must end what is under way. */
  readonly signal: AbortSignal
  /** Ours, which win over the reply's. */
  readonly headers: ResponseHeaders
  /** Told of filters that failed and were left out. */
  readonly skipped: (name: string, error: unknown) => void
}

/** Whether the client has ended an exchange: what we end ourselves has a reason that can be told. */
export function hasLeft({ aborted, reason }: AbortSignal): boolean {
  return aborted && !isPrehendError(reason)
}
