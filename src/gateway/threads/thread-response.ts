import { EventEmitter } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http'
import type { ClientResponse } from '../outlet/client.ts'
import type { AnswerPart } from './messages.ts'

/** What may be under way to a client, in bytes, before a reply has to wait for it. */
const mostUntaken = 256 * 1024

export interface ThreadResponseTo {
  answer(part: Omit<AnswerPart, 'id'>): void
  cut(): void
}

/** The thread's end of a response that the serving thread writes. */
export class ThreadResponse extends EventEmitter<{ drain: []; close: [] }> implements ClientResponse {
  headersSent = false
  destroyed = false
  readonly #to: ThreadResponseTo
  /** What has been written, and waits for what comes next, so that both go in one message. */
  #waiting: Pick<AnswerPart, 'head' | 'streams'> | undefined
  #untaken = 0

  constructor(to: ThreadResponseTo) {
    super()
    this.#to = to
  }

  writeHead(status: number, headers: OutgoingHttpHeaders): void {
    this.headersSent = true
    this.#waiting = { head: { status, headers } }
  }

  /** What is written from now on is a stream of events. */
  streams(): void {
    this.#waiting = { ...this.#waiting, streams: true }
  }

  flushHeaders(): void {
    if (this.#waiting) this.#send({})
  }

  write(chunk: Uint8Array | string): boolean {
    const bytes = ownBytes(chunk)
    this.#untaken += bytes.length
    this.#send({ bytes })
    return this.#untaken < mostUntaken
  }

  end(chunk?: Uint8Array | string, encoding?: BufferEncoding): void {
    this.#send({ ...(chunk !== undefined && { bytes: ownBytes(chunk, encoding) }), isLast: true })
  }

  destroy(): void {
    if (this.destroyed) return
    this.left()
    this.#to.cut()
  }

  /** The client has taken so much more. */
  taken(bytes: number): void {
    const wasFull = this.#untaken >= mostUntaken
    this.#untaken -= bytes
    if (wasFull && this.#untaken < mostUntaken) this.emit('drain')
  }

  /** The client is gone. */
  left(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.emit('close')
  }

  #send(part: Omit<AnswerPart, 'id'>): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (!this.destroyed) this.#to.answer({ ...waiting, ...part })
  }
}

/** Bytes in memory of their own, which can be handed to another thread. */
function ownBytes(chunk: Uint8Array | string, encoding: BufferEncoding = 'utf8'): Uint8Array<ArrayBuffer> {
  return new Uint8Array(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)
}
