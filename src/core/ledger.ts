import type { CompactionState } from './compaction.ts'
import type { PayloadMarkup } from './pack.ts'
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
  /** What its form says that a reader still has, where the policy measures quality and the tokens do not tell. */
  readonly fidelity?: number
  readonly handle?: string
  readonly references?: readonly LineReference[]
  /** As in the rendition. */
  readonly unhandled?: boolean
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

export const ledgerSchema = 'prehend.ledger/2'

interface SessionLedger {
  readonly schema: typeof ledgerSchema
  readonly epoch: number
  readonly policyId: string
  /** Requests compiled so far. */
  readonly turns: number
  /** When the last request was compiled, by the caller's clock. */
  readonly lastRequestMs?: number
  /** Tokens of the last request as sent, and as they would have been sent by pass-through. */
  readonly lastTokens: number
  readonly lastOriginalTokens: number
  readonly account: Account
  /** What holding on to the present epoch has cost so far: the saving forgone, in input-token prices. */
  readonly regret: number
  /** Rehydrations asked for so far; a session that needs many is thinned less. */
  readonly rehydrations: number
  /** What the task was at, as far as the caller said. */
  readonly step?: string
  /** The regime of the last request, as far as the caller said. */
  readonly regime?: string
}

/** Of layout `messages`: how each item was shown. */
export interface ConversationLedger extends SessionLedger {
  readonly layout: 'messages'
  /** In wire order, as of the last request. */
  readonly entries: readonly LedgerEntry[]
  /** In wire order; kept for caches that are only read at marks. */
  readonly marks?: readonly CacheMark[]
  /** What holding on to steps that could be compacted has cost since the last compaction, in input-token prices. */
  readonly rent?: number
  /** Absent until the session is compacted for the first time, or its trigger has fired. */
  readonly compacted?: CompactionState
}

/** Where a conversation in a payload was cut, as ledger keys of items. */
export interface LedgerCut {
  /** The oldest item that was shown. */
  readonly short: string
  /** The oldest that was shown whole. */
  readonly whole: string
}

/** Memory that stood in the last pack. */
export interface LedgerMemory {
  /** The same as long as what is shown is. */
  readonly key: string
  /** Packs in a row. */
  readonly packs: number
  /** Whether it has moved into the system text, where the cache holds it. */
  readonly durable?: boolean
}

/** An item that did not stand as it came in the last pack. */
export interface LedgerShown {
  /** Content hash and occurrence. */
  readonly key: string
  readonly rung: Rung
  readonly tokens: number
}

/** Of layout `payload`, which is built anew for every request: only the cut of the conversation is kept, and where memory stands. */
export interface PayloadLedger extends SessionLedger {
  readonly layout: 'payload'
  /** Absent where all of it stood as it came. */
  readonly cut?: LedgerCut
  /** What has moved first, in its order; absent where there is none. */
  readonly memory?: readonly LedgerMemory[]
  /** As all packs of the session are written. */
  readonly markup?: PayloadMarkup
  /** Tools and conversation that steps of relief have shortened; they stand so until there is want of room again. */
  readonly shown?: readonly LedgerShown[]
}

/**
 * The frozen decisions of one session, by the layout that made them. Pure data: goes into a compile, comes out of it, is
 * stored by the host.
 */
export type Ledger = ConversationLedger | PayloadLedger
