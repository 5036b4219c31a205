import type { PrehendError } from '../../core/index.ts'
import { unavailable } from './unavailable.ts'

/** Requests of which as many, and as much of their bodies, may be held at a time. */
export interface Room {
  readonly requests: number
  readonly bytes: number
  /** One more request, of which nothing is held yet. */
  enter(): Place
}

/** What one request takes up of a room. */
export interface Place {
  /** More of its body is held. Throws `unavailable` where there is no room for it. */
  hold(bytes: number): void
  /** All of it is here, and waits for its turn. Throws `unavailable` where too many do. */
  queue(): void
  /** It takes up as much of another room, too, from the beginning. */
  also(room: Room | undefined): void
  /** Nothing of it is held here any more; told as often as one likes. */
  leave(): void
}

export interface WaitingLimits {
  readonly waitingRequests: number
  readonly waitingBytes: number
}

/** For requests that were taken in and have not gone upstream yet. */
export function waitingRoom({ waitingRequests, waitingBytes }: WaitingLimits): Room {
  return boundedRoom({ mostRequests: waitingRequests, mostBytes: waitingBytes, full: overloaded })
}

/** For all until the last byte of their answers, the time that their providers take included: their bodies are kept for what may follow. */
export function underwayRoom(underwayBytes: number): Room {
  return boundedRoom({ mostRequests: Infinity, mostBytes: underwayBytes, full: tooMuchUnderway })
}

interface RoomOptions {
  readonly mostRequests: number
  readonly mostBytes: number
  /** What somebody is told who finds no room. */
  readonly full: () => PrehendError
}

function boundedRoom({ mostRequests, mostBytes, full }: RoomOptions): Room {
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
          other = room?.enter()
        },
        hold(more) {
          other?.hold(more)
          // One alone may always come: how long a body may be is another limit.
          if (bytes > held && bytes + more > mostBytes) throw full()
          held += more
          bytes += more
        },
        queue() {
          if (isQueued) return
          other?.queue()
          if (requests >= mostRequests) throw full()
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

function tooMuchUnderway(): PrehendError {
  const remedy = 'Send the request again in a moment, or let the gateway hold more (limits.underwayBytes).'
  return unavailable('Too much is under way here: bodies are held until their answers have ended.', remedy)
}
