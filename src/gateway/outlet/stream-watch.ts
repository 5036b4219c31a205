import { failureStatus } from '../../codecs/index.ts'
import type { Codec, SseEvent } from '../../codecs/index.ts'
import { PrehendError } from '../../core/index.ts'
import type { ModelReply } from '../../core/index.ts'
import type { ReplyReport } from './reply.ts'

/** Reads on the side what the events of a stream report. */
export interface StreamWatch {
  read(events: readonly SseEvent[]): void
  /** The dialect's last event has come, or an error event: nothing more is to be said. */
  hasEnded(): boolean
  /** A stream that is not whole, and has not said so itself, is a failure. */
  report(): ReplyReport
}

export function streamWatch(codec: Codec): StreamWatch {
  const reducer = codec.reducer()
  let state = reducer.initial
  return {
    read(events) {
      for (const event of events) state = reducer.skim(state, event)
    },
    hasEnded: () => state.ended,
    report() {
      const { usage, failure } = reducer.reply(state)
      return {
        ...(usage && { usage }),
        ...(failure && (state.ended ? { said: endedIn(failure) } : { failure: brokenOff() })),
      }
    },
  }
}

/** A stream that the provider ended in an error. */
export function endedIn({ type, message: said }: NonNullable<ModelReply['failure']>): PrehendError {
  const remedy = 'Send the request again.'
  const message = `The provider ended its stream in an error (${type}). ${remedy}`
  return new PrehendError('upstream-refused', message, { status: failureStatus({ type }), said, remedy })
}

/** A stream that came to no end. */
export function brokenOff(): PrehendError {
  const remedy = 'Send the request again.'
  return new PrehendError('upstream-broken', `The provider's stream broke off before its end. ${remedy}`, { remedy })
}
