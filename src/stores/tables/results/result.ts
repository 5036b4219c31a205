import type { ReceiptResult } from '../receipts/receipt-result.ts'
import type { AccountQuery, SessionAccount } from './session-account.ts'
import type { SessionQuery, SessionSummary } from './session-cost.ts'
import type { StatisticsQuery, StatisticsRow, Tally } from './statistics/rollups.ts'
import type { TenantAccountChange, TenantAccountRow } from './tenant-account.ts'

/** How a request went, what is to be counted beside such results, and what either adds to the account of its tenant. */
export interface ResultWrite {
  /** The first result of a request stands; its cost is added to its session's. */
  readonly of?: { readonly requestId: string; readonly result: ReceiptResult }
  /** What is to be counted beside the results of receipts. */
  readonly tally?: Tally
  /** Together with a result, only where that is the first of its receipt. */
  readonly account?: TenantAccountChange | undefined
}

export interface ResultReads {
  /**
   * What a session's receipts come to, the oldest first, page by page. An engine that cannot add them up where they lie gives
   * `accountOf` its receipts.
   */
  account(tenant: string, query: AccountQuery): SessionAccount
  /** What the sessions of a tenant came to, those included that were pruned since: a row for each model, by name. */
  tenantAccount(tenant: string): readonly TenantAccountRow[]
  /**
   * What requests have come to, by hours: the first result of each receipt is counted in the hour in which its request came, and stays counted
   * when the receipt is gone; and tallies, in the hour of their unit.
   */
  statistics(tenant: string, query: StatisticsQuery): readonly StatisticsRow[]
  /** Sessions with what they came to, those last written to first. */
  sessions(tenant: string, query: SessionQuery): readonly SessionSummary[]
}

export interface ResultTypes {
  readonly write: ResultWrite
  readonly reads: ResultReads
}
