/** What a principal may see beside its own: `operator` adds the figures of all tenants. */
export const principalScopes = ['tenant', 'operator'] as const
export type PrincipalScope = (typeof principalScopes)[number]

/** Who asks. Known before anything of a request is read. */
export interface Principal {
  /** Whose data it is: nothing is ever found across tenants. */
  readonly tenant: string
  /**
   * Names the token and does not reveal it: its name in the configuration, or the first 12 hexadecimal digits of its SHA-256. `anonymous`
   * where no token is asked for, `in-process` in the library, `gateway` where the gateway asks a model for itself.
   */
  readonly keyId: string
  readonly team?: string
  readonly user?: string
  /** The program that asks, by the name that its user agent begins with, such as `claude-cli`. Whoever asks may claim any. */
  readonly agent?: string
  readonly scopes: readonly PrincipalScope[]
  /** The tenant's limits by their names in the configuration, such as `toolMs`. */
  readonly limits: Readonly<Record<string, number>>
}
