import type { SseEvent, StreamState } from '../../../codecs/index.ts'
import type { ModelReply } from '../../../core/index.ts'
import type { HiddenTurns } from './hidden-turns.ts'

/**
 * Holds a stream from the first event that may begin a call to the end of the reply, since nobody can take back a call of
 * which a client has seen the beginning. Words and reasoning before it pass at once, and so do comments and pings.
 */
export interface CallHold {
  /** The next stream. */
  begin(): void
  /** What passes of these events. */
  take(events: readonly SseEvent[]): readonly SseEvent[]
  /** The stream has told its end. */
  isOver(): boolean
  /** All that was held, and the reply that it is of. */
  release(): Held
}

interface Held {
  readonly events: readonly SseEvent[]
  readonly reply: ModelReply
}

/** Undefined where no call has to be held: the request shows nothing folded, or the dialect cannot tell where calls begin. */
export function holdFor({ codec, rounds }: Pick<HiddenTurns, 'codec' | 'rounds'>): CallHold | undefined {
  const { mayBeginCall } = codec
  if (!rounds.withheld.mayBe || !mayBeginCall) return undefined
  const reducer = codec.reducer()
  let state: StreamState = reducer.initial
  let held: SseEvent[] = []
  let isReleased = false
  const passes = (event: SseEvent): boolean => {
    if (isReleased) return true
    state = reducer.step(state, event)
    if (event.comment !== undefined || event.event === 'ping') return true
    if (held.length === 0 && !mayBeginCall(event)) return true
    held.push(event)
    return false
  }
  return {
    begin() {
      state = reducer.initial
      isReleased = false
    },
    take: (events) => events.filter(passes),
    isOver: () => state.ended,
    release() {
      const events = held
      held = []
      isReleased = isReleased || events.length > 0
      return { events, reply: reducer.reply(state) }
    },
  }
}
