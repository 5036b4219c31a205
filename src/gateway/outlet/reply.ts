import type { SseEvent } from '../../codecs/index.ts'
import type { PrehendError, Usage } from '../../core/index.ts'
import type { ReplyFilter } from './reply-filter.ts'

export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>

/** Some of a reply: the events that one read completed, and their bytes as they came, as long as nobody has changed them. */
export interface ReplyPiece {
  /** A whole reply is one event, whose data is the body. */
  readonly events: readonly SseEvent[]
  readonly bytes?: Uint8Array
}

/** What became of a reply. */
export interface ReplyEnd {
  readonly status: number
  readonly usage?: Usage
  /** The reply was begun, but could not be finished. */
  readonly failure?: PrehendError
  /** The client left before the end. */
  readonly isAbandoned?: boolean
}

/**
 * A reply on its way to the client, as the layers hand it to one another. `pieces` have not passed `filters` yet: the
 * outlet lets every text through all of them, in order.
 */
export interface Reply {
  readonly status: number
  /** As the client gets them. */
  readonly headers: ResponseHeaders
  /** A stream of events, one whole body of the dialect, or bytes that may be anything, such as a refusal's. */
  readonly form: 'stream' | 'whole' | 'raw'
  /** Read once, to the end, or left by `return()`. */
  readonly pieces: AsyncIterable<ReplyPiece>
  readonly filters: readonly ReplyFilter[]
  /** What was used and how it went, once the pieces are read; where it is absent the outlet reads it off them. */
  readonly report?: () => Pick<ReplyEnd, 'usage' | 'failure'>
}

/** The same reply, whose texts pass one more filter. */
export function filtered(reply: Reply, filter: ReplyFilter): Reply {
  return { ...reply, filters: [...reply.filters, filter] }
}

const plain = { filters: [] } as const

/** A reply of one body in the dialect's form. */
export function wholeReply({ text, bytes }: ReplyBody, more: Partial<Reply> = {}): Reply {
  const headers = { 'content-type': 'application/json' }
  const pieces = onePiece({ events: [{ data: text }], ...(bytes && { bytes }) })
  return { status: 200, headers, form: 'whole', ...plain, ...more, pieces }
}

/** A reply of events in the dialect's form. */
export function streamReply(events: readonly SseEvent[], more: Partial<Reply> = {}): Reply {
  const headers = { 'content-type': 'text/event-stream' }
  return { status: 200, headers, form: 'stream', ...plain, ...more, pieces: onePiece({ events }) }
}

export function isSuccess({ status }: Pick<Reply, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** The body of a reply that is not a stream, and its bytes where nobody has changed them. */
export interface ReplyBody {
  readonly text: string
  readonly bytes?: Uint8Array
}

export async function bodyOf({ pieces }: Pick<Reply, 'pieces'>): Promise<ReplyBody> {
  const chunks: Uint8Array[] = []
  for await (const { bytes, events } of pieces) {
    const [only] = events
    if (only) return { text: only.data, ...(bytes && { bytes }) }
    if (bytes) chunks.push(bytes)
  }
  const bytes = Buffer.concat(chunks)
  return { text: bytes.toString('utf8'), bytes }
}

async function* onePiece(piece: ReplyPiece): AsyncGenerator<ReplyPiece> {
  yield piece
}
