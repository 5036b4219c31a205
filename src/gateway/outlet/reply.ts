import { gatheredBytes } from '../../codecs/index.ts'
import type { SseEvent } from '../../codecs/index.ts'
import type { PrehendError, Usage } from '../../core/index.ts'
import type { ReplyFilter } from './reply-filter.ts'

export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>

/** Some of a reply: the events that one read completed, and their bytes as they came, as long as nobody has changed them. */
export interface ReplyPiece {
  /** A whole reply is one event, whose data is the body, or none and bytes as they come; `bodyOf` reads both. */
  readonly events: readonly SseEvent[]
  readonly bytes?: Uint8Array
}

/** What became of a reply. */
export interface ReplyEnd {
  readonly status: number
  /** What the provider has reported. */
  readonly usage?: Usage
  /** What an answer says was used that no provider has given: nothing of it is paid. */
  readonly unpaid?: Usage
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
  /** Why the body cannot be read, as soon as that is known: it is too long, or compressed in a way that is not known here. */
  readonly unreadable?: () => PrehendError | undefined
  /** What was used and how it went, once the pieces are read; where it is absent the outlet reads it off them. */
  readonly report?: () => ReplyReport
}

export interface ReplyReport extends Pick<ReplyEnd, 'usage' | 'failure'> {
  /** The error in which the provider itself ended its stream: the client has it. */
  readonly said?: PrehendError
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

/** Reads a body. Rejects with `upstream-broken` where it is too long to be held, or compressed in a way that is not known. */
export async function bodyOf(reply: Readable): Promise<ReplyBody> {
  const body = await readOrPass(reply)
  if (!('problem' in body)) return body
  await body.pieces[Symbol.asyncIterator]().return?.()
  throw body.problem
}

/** A body that cannot be read, from its beginning. */
export interface UnreadBody {
  readonly problem: PrehendError
  readonly pieces: AsyncIterable<ReplyPiece>
}

type Readable = Pick<Reply, 'pieces' | 'unreadable'>

/** The body of a reply; where it cannot be read, why, and its pieces to be passed on. */
export async function readOrPass({ pieces, unreadable }: Readable): Promise<ReplyBody | UnreadBody> {
  const iterator = pieces[Symbol.asyncIterator]()
  const gathered = gatheredBytes()
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    const { bytes, events } = next.value
    const problem = unreadable?.()
    if (problem) return { problem, pieces: chained([{ bytes: gathered.take(), events: [] }, next.value], iterator) }
    const [only] = events
    if (only) return { text: only.data, ...(bytes && { bytes }) }
    if (bytes) gathered.add(bytes)
  }
  const bytes = gathered.take()
  return { text: utf8.decode(bytes), bytes }
}

/** Without the mark of its byte order, with which some servers begin JSON. */
const utf8 = new TextDecoder('utf-8')

/** What was read already, and then the rest. */
export function chained(pieces: readonly ReplyPiece[], rest: AsyncIterator<ReplyPiece>): AsyncIterable<ReplyPiece> {
  const read = [...pieces]
  const iterator: AsyncIterator<ReplyPiece> = {
    next: async () => {
      const value = read.shift()
      return value ? { value } : rest.next()
    },
    return: async () => (await rest.return?.()) ?? { done: true, value: undefined },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

async function* onePiece(piece: ReplyPiece): AsyncGenerator<ReplyPiece> {
  yield piece
}
