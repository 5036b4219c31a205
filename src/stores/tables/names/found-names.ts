import type { ReceiptHead } from '../receipts/receipt.ts'
import type { SessionSummary } from '../results/session-cost.ts'

/** What begins with a text, or, of sessions, has it in its name. */
export interface FoundNames {
  /** Those last used first. */
  readonly sessions: readonly Pick<SessionSummary, 'session' | 'usedMs'>[]
  /** By their request's id or by their pack's. */
  readonly receipts: readonly Pick<ReceiptHead, 'requestId' | 'packId' | 'session' | 'createdMs'>[]
  readonly handles: readonly { readonly handle: string; readonly session: string }[]
}

/** A tenant of whom there is something, and how much. */
export interface TenantSize {
  readonly tenant: string
  readonly sessions: number
  readonly receipts: number
}

export interface NameReads {
  /** Every tenant with sessions, keys, statistics or entries of the audit log, by name. */
  tenants(): readonly TenantSize[]
  /** Sessions, receipts and handles by their names, so many of each. */
  find(tenant: string, text: string, limit: number): FoundNames
}

export interface NameTypes {
  /** Nothing is written: every name stands in another table. */
  readonly write: never
  readonly reads: NameReads
}
