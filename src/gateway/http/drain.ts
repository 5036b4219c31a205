import type { ServerResponse } from 'node:http'
import type { PrehendError } from '../../core/index.ts'
import { PassingMap } from '../../host/index.ts'
import { unavailable } from './unavailable.ts'

/** A request that a provider is to answer. */
export interface Underway {
  readonly response: ServerResponse
  /** Ends it in an error of its dialect. */
  stop(reason: PrehendError): void
}

/** Requests under way, so that a gateway that stops can see them off. */
export interface Drain {
  /** No new request is taken. */
  readonly hasBegun: boolean
  /** How many requests are under way. */
  readonly underway: number
  enter(request: Underway): void
  begin(): void
  /** Time is up: ends what is still under way. */
  expire(): void
}

export function openDrain(): Drain {
  const all = new PassingMap<number, Underway>()
  let entered = 0
  let hasBegun = false
  return {
    get hasBegun() {
      return hasBegun
    },
    get underway() {
      return all.size
    },
    enter(request) {
      entered += 1
      const number = entered
      all.set(number, request)
      request.response.once('close', () => all.delete(number))
    },
    begin() {
      hasBegun = true
      for (const { response } of all.values()) lastOfConnection(response)
    },
    expire() {
      for (const request of all.values()) request.stop(stopping())
    },
  }
}

/** Has the client send its next request on another connection. */
export function lastOfConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

export function stopping(): PrehendError {
  return unavailable('This gateway is stopping.')
}
