import type { LineReference, Rung } from './rendition.ts'

/** A decision that is replayed as it is until an epoch begins. */
export interface LedgerEntry {
  /** Content hash and occurrence, see `compiler`: the same text seen twice has two entries. */
  readonly key: string
  readonly rung: Rung
  /** Absent where the item is shown as it came. */
  readonly text?: string
  readonly tokens: number
  readonly originalTokens: number
  readonly handle?: string
  readonly references?: readonly LineReference[]
}

/** Where an earlier request ended, and when its cache entry was last used. */
export interface CacheMark {
  /** Items before it. */
  readonly items: number
  readonly atMs?: number
}

/** Running cost of a session in input-token prices, ours and what pass-through would have paid. */
export interface Account {
  readonly passThrough: number
  readonly actual: number
}

export const ledgerSchema = 'prehend.ledger/1'

/** The frozen decisions of one session. Pure data: goes into a compile, comes out of it, is stored by the host. */
export interface Ledger {
  readonly schema: typeof ledgerSchema
  readonly epoch: number
  readonly policyId: string
  /** In wire order, as of the last request. */
  readonly entries: readonly LedgerEntry[]
  /** Requests compiled so far. */
  readonly turns: number
  /** When the last request was compiled, by the caller's clock. */
  readonly lastRequestMs?: number
  /** Tokens of the last request as sent, and as they would have been sent by pass-through. */
  readonly lastTokens: number
  readonly lastOriginalTokens: number
  readonly account: Account
  /** In wire order; kept for caches that are only read at marks. */
  readonly marks?: readonly CacheMark[]
  /** What holding on to the present epoch has cost so far: the saving forgone, in input-token prices. */
  readonly regret: number
  /** Rehydrations asked for so far; a session that needs many is thinned less. */
  readonly rehydrations: number
}
