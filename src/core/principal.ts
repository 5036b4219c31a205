import type { BudgetLimits } from './budget-limits.ts'

export const principalScopes = ['inference', 'read', 'admin', 'operator', 'metrics'] as const
/**
 * What a principal may do. `inference`: ask models. `read`: read what is its tenant's: receipts, sessions, figures. Both together: steer,
 * compact and hand over sessions of its tenant. `admin`: manage the keys of its tenant and read its audit log. `operator`: the same for all tenants, and the figures of all
 * tenants and of the process; it includes `admin`, and `metrics`. `metrics`: read `/metrics` and the health of the gateway, and nothing else.
 */
export type PrincipalScope = (typeof principalScopes)[number]

/** Who asks. Known before anything of a request is read. */
export interface Principal {
  /** Whose data it is: nothing is ever found across tenants. */
  readonly tenant: string
  /**
   * Names the key or token and does not reveal it: the id of a virtual key, a token's name in the configuration, or the first 12 hexadecimal
   * digits of its SHA-256. `anonymous` where no token is asked for, `in-process` in the library, `gateway` where the gateway asks a model for
   * itself.
   */
  readonly keyId: string
  readonly team?: string
  readonly user?: string
  /** The program that asks, by the name that its user agent begins with, such as `claude-cli`. Whoever asks may claim any. */
  readonly agent?: string
  readonly scopes: readonly PrincipalScope[]
  /** Models that a virtual key may use, `*` for any characters. Absent: all of the tenant. */
  readonly allowedModels?: readonly string[]
  /** Routes that a virtual key may use, as `allowedRoutes` of the configuration. Absent: all of the tenant. */
  readonly allowedRoutes?: readonly string[]
  /** What a virtual key may spend, and the name that this is counted under: that of the first key, where one replaces another. */
  readonly spending?: { readonly name: string; readonly limits: BudgetLimits }
  /** The tenant's limits by their names in the configuration, such as `toolMs`. */
  readonly limits: Readonly<Record<string, number>>
}

/** Whether a principal has a scope. An operator is an admin and reads metrics, too. */
export function hasScope({ scopes }: Pick<Principal, 'scopes'>, scope: PrincipalScope): boolean {
  return scopes.includes(scope) || ((scope === 'admin' || scope === 'metrics') && scopes.includes('operator'))
}
