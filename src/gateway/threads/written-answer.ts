import { endWith } from '../outlet/write-out.ts'
import type { ServedClient } from '../http/handle-exchange.ts'
import type { AnswerPart } from './messages.ts'

/** An answer that another thread makes, written to its client. */
export interface WrittenAnswer {
  /** Events have begun to go out. */
  readonly isStream: boolean
  write(part: AnswerPart): void
  /** Cuts the connection. */
  cut(): void
}

/** What the client has taken is told in steps of so many bytes. */
const stepBytes = 64 * 1024

/** `taken` hears how much the client has taken, so that a thread does not write faster than the client reads. */
export function writtenAnswer({ response, streams }: ServedClient, taken: (bytes: number) => void): WrittenAnswer {
  let untold = 0
  const tellTaken = (least: number): void => {
    if (untold < least || untold === 0) return
    taken(untold)
    untold = 0
  }
  response.on('drain', () => tellTaken(0))
  const written = {
    isStream: false,
    write({ head, streams: isStream, bytes, isLast }: AnswerPart): void {
      if (response.destroyed) return
      if (head) response.writeHead(head.status, head.headers)
      if (isStream) {
        written.isStream = true
        streams()
      }
      if (isLast) return bytes ? endWith(response, bytes) : void response.end()
      if (!bytes) return response.flushHeaders()
      untold += bytes.length
      if (response.write(bytes)) tellTaken(stepBytes)
    },
    cut: () => void response.destroy(),
  }
  return written
}
