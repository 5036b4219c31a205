import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Codec, SseEvent } from '../../codecs/index.ts'
import { isPrehendError } from '../../core/index.ts'
import type { ReplyEar } from './reply-ear.ts'
import type { ResponseHeaders } from './reply.ts'

/** What a reply is written to: what is used of Node's `ServerResponse`, or the same at the other end of a thread's port. */
export interface ClientResponse {
  readonly headersSent: boolean
  readonly destroyed: boolean
  /** The request, where its connection is at hand. */
  readonly req?: IncomingMessage
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown
  flushHeaders(): void
  /** False asks to wait for `drain`. */
  write(chunk: Uint8Array | string): boolean
  end(chunk?: Uint8Array | string, encoding?: BufferEncoding): unknown
  destroy(): unknown
  on(event: 'drain' | 'close', told: () => void): unknown
  off(event: 'drain' | 'close', told: () => void): unknown
}

/** The client that a reply goes to. */
export interface Client {
  readonly response: ClientResponse
  readonly codec: Codec
  readonly requestId: string
  /** Aborted when the client has left, and when the gateway must end what is under way. */
  readonly signal: AbortSignal
  /** Ours, which win over the reply's. */
  readonly headers: ResponseHeaders
  /** Told when what is written from now on is a stream of events. */
  readonly streams: () => void
  /** Hears what is written; nobody does where it is absent. */
  readonly ear?: ReplyEar | undefined
  /** Events of a stream that the client has not asked for; none where absent. */
  readonly unasked?: ((event: SseEvent) => boolean) | undefined
  /** Told of filters that failed and were left out. */
  readonly skipped: (name: string, error: unknown) => void
}

/** Whether the client has ended an exchange: what we end ourselves has a reason that can be told. */
export function hasLeft({ aborted, reason }: AbortSignal): boolean {
  return aborted && !isPrehendError(reason)
}
