import type { ReplyEnd } from '../outlet/reply.ts'
import type { Exchange } from './exchange.ts'

/** One try of a request that may be made again: who waits for its end is told once it is known whether this was the one. */
export interface Trial {
  /** What is to go on. */
  readonly exchange: Exchange
  /** It came to nothing: its end is its own. */
  failed(end: ReplyEnd): Promise<void>
  /** Its end is that of the client's request. */
  counts(): void
}

export function trial(exchange: Exchange): Trial {
  const ends: Parameters<Exchange['whenEnded']>[0][] = []
  return {
    exchange: { ...exchange, whenEnded: (told) => void ends.push(told) },
    failed: async (end) => void (await Promise.all(ends.map(async (told) => told(end)))),
    counts() {
      for (const told of ends) exchange.whenEnded(told)
    },
  }
}
