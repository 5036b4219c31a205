import type { Ledgers } from './ledger.ts'

/** How much may be taken under a key. */
export interface TakeLimit {
  /** Of all that is taken under the key and not given back. */
  readonly most: number
  /** How long the sum lasts, in milliseconds, from what is taken first. */
  readonly ttlMs: number
}

/** The result of `Hot.take`. */
export interface Taken {
  /** Whether the amount was taken: all of it or nothing. */
  readonly taken: boolean
  /** What is left under the key. */
  readonly left: number
  /** When the sum ends, in milliseconds since the epoch. */
  readonly resetMs: number
}

/**
 * State that may be lost, is needed at once, and is shared by all processes of a gateway. Keys and names carry their tenant: an
 * implementation tells nothing of one apart from another. Failures reject with `store-failed`. Every implementation passes
 * `hotContract` of `prehend/testing`.
 */
export interface Hot extends Ledgers {
  /** True where it lives and dies with the process that uses it, so that nobody can have anything in one that is new. */
  readonly isOfProcess?: boolean
  /** The newest value under a key; undefined where it has ended. */
  get(key: string): Promise<string | undefined>
  /** The newest value stands, for `ttlMs` milliseconds. */
  put(key: string, value: string, ttlMs: number): Promise<void>
  /**
   * Takes an amount where the limit allows it, in one step: of many at once, no more succeed than there is room for. A negative
   * amount gives back; the sum is never below 0.
   */
  take(key: string, amount: number, limit: TakeLimit): Promise<Taken>
  /** Whether the owner has the lease from now on, for `ttlMs` milliseconds: nobody else had it, or the owner itself. */
  lease(name: string, owner: string, ttlMs: number): Promise<boolean>
  /** Ends a lease of the owner; that of another stays. */
  release(name: string, owner: string): Promise<void>
  /** Sends a message to those who listen now, in whatever process. */
  publish(channel: string, message: string): Promise<void>
  /** Calls `hears` with each message from now on, until the returned function is called. */
  subscribe(channel: string, hears: (message: string) => void): () => void
}
