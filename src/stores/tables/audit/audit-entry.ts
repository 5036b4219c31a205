/** What an entry says of a change. */
export interface AuditedChange {
  /** Who made it: the id of a key or the name of a token, never a secret. */
  readonly actor: string
  /** Such as `key.create`. */
  readonly action: string
  /** What was changed, by its id. */
  readonly target: string
  /** The address that it was asked from; `local` for a command on the store itself. */
  readonly from: string
  /** SHA-256 of what stood before, as canonical JSON; absent where there was nothing. */
  readonly beforeHash?: string
  /** SHA-256 of what stands since. */
  readonly afterHash?: string
}

/** One entry of a tenant's chain. The entries of the installation itself have the tenant ''. */
export interface AuditEntry extends AuditedChange {
  /** Counts the entries of the chain, from 1. */
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly atMs: number
  readonly tenant: string
  /** `hash` of the entry before; 64 zeros for the first one. */
  readonly previousHash: string
  /** SHA-256 of all other members as canonical JSON. */
  readonly hash: string
}

/** Adds an entry to the chain of the unit's tenant. Write it in the unit that makes the change. */
export interface AuditWrite extends AuditedChange {}

/** Which way entries are read: the newest first, or chain by chain from the first entry on. */
export const auditOrders = ['newest', 'chain'] as const
export type AuditOrder = (typeof auditOrders)[number]

/** Where a list of entries goes on: behind this one. */
export type AuditPlace = Pick<AuditEntry, 'tenant' | 'seq' | 'atMs'>

export interface AuditQuery {
  /** Of all chains by default. */
  readonly tenant?: string
  readonly order: AuditOrder
  readonly limit: number
  readonly after?: AuditPlace
}

export interface AuditReads {
  list(query: AuditQuery): readonly AuditEntry[]
}

export interface AuditTypes {
  readonly write: AuditWrite
  readonly reads: AuditReads
}
