import type { Codec, SseEvent } from '../../codecs/index.ts'
import { PrehendError } from '../../core/index.ts'
import type { ReplyEnd } from './reply.ts'

/** Reads on the side what the events of a stream report. */
export interface StreamWatch {
  read(events: readonly SseEvent[]): void
  /** The dialect's last event has come, or an error event: nothing more is to be said. */
  readonly hasEnded: boolean
  /** A stream that is not whole, and has not said so itself, is a failure. */
  report(): Pick<ReplyEnd, 'usage' | 'failure'>
}

export function streamWatch(codec: Codec): StreamWatch {
  const reducer = codec.reducer()
  let state = reducer.initial
  return {
    read(events) {
      for (const event of events) state = reducer.skim(state, event)
    },
    get hasEnded() {
      return state.ended
    },
    report() {
      const { usage, failure } = reducer.reply(state)
      return { ...(usage && { usage }), ...(failure && !state.ended && { failure: brokenOff() }) }
    },
  }
}

/** A stream that came to no end. */
export function brokenOff(): PrehendError {
  const remedy = 'Send the request again.'
  return new PrehendError('upstream-broken', `The provider's stream broke off before its end. ${remedy}`, { remedy })
}
