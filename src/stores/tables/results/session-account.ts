import type { EpochRecord } from '../../../core/index.ts'
import type { CacheMiss } from '../receipts/receipt-result.ts'

/** What the receipts of a session come to, so that nobody has to read them all. */
export interface SessionAccount {
  /** How many receipts this is of. */
  readonly receipts: number
  /** The last of them; read on from there. Absent where there are none. */
  readonly last?: number
  /** In the order of their first receipts. */
  readonly groups: readonly AccountGroup[]
  /** Every break of the cache, the oldest first. */
  readonly misses: readonly AccountMiss[]
}

/** Receipts that share a conversation, an epoch, a model and a policy. */
export interface AccountGroup {
  readonly lane: string
  readonly epoch?: number
  /** Who has answered; of those that nobody has told that of, as the client named it. */
  readonly model?: string
  readonly policyId: string
  readonly requests: number
  /** Those of them that the dollars are of. */
  readonly priced: number
  readonly usd: number
  readonly passThroughUsd: number
  readonly hiddenRounds: number
  readonly first: {
    readonly sequence: number
    readonly requestId: string
    readonly createdMs: number
    readonly epochRecord?: EpochRecord
  }
}

export interface AccountMiss {
  readonly requestId: string
  readonly lane: string
  readonly createdMs: number
  readonly miss: CacheMiss
}

export interface AccountQuery {
  readonly session: string
  /** Of those newer than the one with this sequence number. */
  readonly after?: number
  /** Of so many receipts at most. */
  readonly limit: number
}
