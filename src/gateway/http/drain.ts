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

/** To be told whose request it is, as soon as that is known. */
export interface EnteredRequest {
  of(tenant: string): void
}

/** Requests under way, so that a gateway that stops can see them off. */
export interface Drain {
  /** The gateway is about to stop: it still serves, and is not ready any more. */
  readonly isAnnounced: boolean
  /** No new request is taken. */
  readonly hasBegun: boolean
  /** How many requests are under way. */
  readonly underway: number
  /** How many of them are a tenant's. */
  underwayOf(tenant: string): number
  enter(request: Underway): EnteredRequest
  announce(): void
  begin(): void
  /** Time is up: ends what is still under way. */
  expire(): void
}

export function openDrain(): Drain {
  const all = new PassingMap<number, Underway & { tenant?: string }>()
  let entered = 0
  let isAnnounced = false
  let hasBegun = false
  return {
    get isAnnounced() {
      return isAnnounced
    },
    get hasBegun() {
      return hasBegun
    },
    get underway() {
      return all.size
    },
    underwayOf: (tenant) => [...all.values()].filter((request) => request.tenant === tenant).length,
    enter(request) {
      entered += 1
      const number = entered
      const kept: Underway & { tenant?: string } = { ...request }
      all.set(number, kept)
      request.response.once('close', () => all.delete(number))
      return {
        of: (tenant) => {
          kept.tenant = tenant
        },
      }
    },
    announce() {
      isAnnounced = true
    },
    begin() {
      isAnnounced = true
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
