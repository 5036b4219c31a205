import type { ReplyEnd } from '../outlet/reply.ts'
import type { Exchange } from '../exchange/exchange.ts'

/** One try of a request that may be made again: who waits for its end is told once it is known whether this was the one. */
export interface Trial {
  /** What is to go on. */
  readonly exchange: Exchange
  /** It came to nothing: its end is its own. */
  failed(end: ReplyEnd): Promise<void>
  /** It came to nothing, and the request ends with it: its end is told when the request's is. */
  endsIn(end: ReplyEnd): void
  /** Its end is that of the client's request. */
  counts(): void
}

export function trial(exchange: Exchange): Trial {
  const ends: Parameters<Exchange['whenEnded']>[] = []
  const answers: Parameters<Exchange['whenAnswered']>[0][] = []
  const inOrder = (): typeof ends =>
    ends.toSorted(([, one], [, other]) => Number(one === 'files') - Number(other === 'files'))
  return {
    exchange: {
      ...exchange,
      whenEnded: (...told) => void ends.push(told),
      whenAnswered: (told) => void answers.push(told),
    },
    failed: async (end) => void (await Promise.all(inOrder().map(async ([told]) => told(end)))),
    endsIn(end) {
      for (const [told, order] of ends) exchange.whenEnded(() => told(end), order)
    },
    counts() {
      for (const told of ends) exchange.whenEnded(...told)
      for (const told of answers) exchange.whenAnswered(told)
    },
  }
}
