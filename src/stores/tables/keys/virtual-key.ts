import type { BudgetLimits, PrincipalScope } from '../../../core/index.ts'

/** A key of a tenant, as it is stored. Its secret is not: only its hash and its first characters. */
export interface VirtualKey {
  readonly id: string
  readonly tenant: string
  readonly team?: string
  readonly user?: string
  readonly name: string
  /** SHA-256 of the secret, as lower-case hexadecimal. */
  readonly hash: string
  /** The first characters of the secret, by which its holder knows it. */
  readonly prefix: string
  readonly scopes: readonly PrincipalScope[]
  /** Models that its requests may name, `*` for any characters. Absent: all that the tenant may use. */
  readonly allowedModels?: readonly string[]
  /** Provider routes that its requests may use, as `allowedRoutes` of the configuration. Absent: all that the tenant may use. */
  readonly allowedRoutes?: readonly string[]
  /** What its requests may spend. */
  readonly budgets?: BudgetLimits
  /** The key whose budgets it goes on with: the first one that this key and those before it have replaced. Absent: its own. */
  readonly budgetsOf?: string
  /** Milliseconds since the epoch, as all of these. */
  readonly createdMs: number
  readonly expiresMs?: number
  readonly revokedMs?: number
  /** The key that a rotation made in its place. */
  readonly replacedBy?: string
  /** Counts its changes, from 1. */
  readonly revision: number
}

/** A key with its last use, which is noted at most once a minute. */
export interface UsedKey extends VirtualKey {
  readonly lastUsedMs?: number
}

/**
 * Writes a key of the unit's tenant. Revision 1 is a new key: a conflict where the id or the hash is taken. A later revision is a conflict
 * unless it follows the stored one. `used` notes a use and changes no revision; of a key that is not there it notes nothing.
 */
export type KeyWrite = { readonly key: VirtualKey } | { readonly used: string }

/** Where a list of keys goes on: behind the key that was created then. */
export interface KeyPlace {
  readonly createdMs: number
  readonly id: string
}

export interface KeyQuery {
  /** Of all tenants by default. */
  readonly tenant?: string
  readonly limit: number
  readonly after?: KeyPlace
}

export interface KeyReads {
  /** The key of a secret, of whatever tenant. */
  byHash(hash: string): UsedKey | undefined
  get(tenant: string, id: string): UsedKey | undefined
  /** The newest first. */
  list(query: KeyQuery): readonly UsedKey[]
  /** Those that have keys, in the order of their names. */
  tenants(): readonly string[]
}

export interface KeyTypes {
  readonly write: KeyWrite
  readonly reads: KeyReads
}
