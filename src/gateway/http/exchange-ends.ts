import type { Codec } from '../../codecs/index.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { isSuccess } from '../outlet/reply.ts'
import type { ReplyEnd } from '../outlet/reply.ts'
import { replyEar } from '../outlet/reply-ear.ts'
import type { ReplyEar } from '../outlet/reply-ear.ts'

/** Who is told how an exchange ended, and what was answered. */
export interface ExchangeEnds extends Pick<Exchange, 'whenEnded' | 'whenAnswered'> {
  /** Reads the answer on its way to the client; undefined where nobody wants to know it. */
  listen(codec: Codec): ReplyEar | undefined
  /** All begin at once, so that the log and the receipt hold what they say at once: those of the answer first, those that file last. */
  tell(end: ReplyEnd): Promise<void>
}

type Told<Value> = (value: Value) => void | Promise<void>

/** `failed` is told of functions that throw. */
export function exchangeEnds(failed: (error: unknown) => void): ExchangeEnds {
  const ended: Parameters<Exchange['whenEnded']>[0][] = []
  const filing: typeof ended = []
  const answered: Parameters<Exchange['whenAnswered']>[0][] = []
  let ear: ReplyEar | undefined
  const guarded = async <Value>(told: Told<Value>, value: Value): Promise<void> => {
    try {
      await told(value)
    } catch (error) {
      failed(error)
    }
  }
  return {
    whenEnded: (told, order) => void (order === 'files' ? filing : ended).push(told),
    whenAnswered: (told) => void answered.push(told),
    listen: (codec) => (ear = answered.length === 0 ? undefined : replyEar(codec)),
    async tell(end) {
      const isWhole = isSuccess(end) && end.failure === undefined && end.isAbandoned !== true
      const reply = isWhole ? ear?.reply() : undefined
      await Promise.all([
        ...(reply === undefined ? [] : answered.map((told) => guarded(told, reply))),
        ...[...ended, ...filing].map(async (told) => told(end)),
      ])
    },
  }
}
