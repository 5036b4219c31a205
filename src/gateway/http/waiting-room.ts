import type { PrehendError } from '../../core/index.ts'
import { unavailable } from './unavailable.ts'

/** Requests that were taken in and have not gone upstream yet: how many there are, and how much they hold, is bounded. */
export interface WaitingRoom {
  readonly requests: number
  readonly bytes: number
  /** One more request, of which nothing is held yet. */
  enter(): Place
}

/** What one request takes up of the waiting room. */
export interface Place {
  /** More of its body is held. Throws `unavailable` where there is no room for it. */
  hold(bytes: number): void
  /** All of it is here, and waits for its turn. Throws `unavailable` where too many do. */
  queue(): void
  /** It takes up as much of another room, too, from the beginning. */
  also(room: WaitingRoom): void
  /** It has gone upstream, or nowhere; told as often as one likes. */
  leave(): void
}

export interface WaitingLimits {
  readonly waitingRequests: number
  readonly waitingBytes: number
}

export function waitingRoom({ waitingRequests, waitingBytes }: WaitingLimits): WaitingRoom {
  let requests = 0
  let bytes = 0
  return {
    get requests() {
      return requests
    },
    get bytes() {
      return bytes
    },
    enter() {
      let held = 0
      let isQueued = false
      let other: Place | undefined
      return {
        also(room) {
          other = room.enter()
        },
        hold(more) {
          other?.hold(more)
          // One alone may always come: how long a body may be is another limit.
          if (bytes > held && bytes + more > waitingBytes) throw overloaded()
          held += more
          bytes += more
        },
        queue() {
          if (isQueued) return
          other?.queue()
          if (requests >= waitingRequests) throw overloaded()
          isQueued = true
          requests += 1
        },
        leave() {
          other?.leave()
          bytes -= held
          held = 0
          if (isQueued) requests -= 1
          isQueued = false
        },
      }
    },
  }
}

function overloaded(): PrehendError {
  const remedy = 'Send the request again in a moment, or give the gateway more threads (threads).'
  return unavailable('Too much is waiting here to be sent on.', remedy)
}
