import type { BudgetLimits, Principal } from '../../core/index.ts'
import { limitsAny } from '../budget-settings.ts'
import type { GatewayConfig } from '../config-schema.ts'
import type { VirtualKey } from '../../stores/index.ts'
import { keyIdOf } from '../key-id.ts'
import { ownSettings, settingsFor } from '../tenant-settings.ts'

/** Somebody who has limits. */
export interface BudgetScope {
  readonly kind: 'tenant' | 'team' | 'key'
  /** Empty for the tenant itself. */
  readonly name: string
  readonly limits: BudgetLimits
}

/** Who of a request's tenant, team and key has limits; all of them count. */
export type BudgetsOf = (principal: Pick<Principal, 'tenant' | 'team' | 'keyId' | 'spending'>) => readonly BudgetScope[]

const none: readonly BudgetScope[] = []

export function budgetsOf(config: GatewayConfig): BudgetsOf {
  const keys = new Map(
    config.tokens.flatMap((one) =>
      one.budgets ? [[JSON.stringify([one.tenant, keyIdOf(one)]), one.budgets] as const] : [],
    ),
  )
  const teams = Object.values(config.tenants).some(({ teams: own }) => own !== undefined)
  const tenants = limitsAny(config.budgets) || Object.values(config.tenants).some(({ budgets }) => limitsAny(budgets))
  const isConfigured = tenants || teams || keys.size > 0
  return ({ tenant, team, keyId, spending }) => {
    if (!isConfigured && spending === undefined) return none
    const { budgets } = settingsFor(config, tenant)
    const ofTeam = team === undefined ? undefined : teamOf(config, tenant, team)
    return [
      ...scope('tenant', '', budgets),
      ...(team === undefined ? none : scope('team', team, ofTeam)),
      ...(spending
        ? scope('key', spending.name, spending.limits)
        : scope('key', keyId, keys.get(JSON.stringify([tenant, keyId])))),
    ]
  }
}

function scope(kind: BudgetScope['kind'], name: string, limits: BudgetLimits | undefined): readonly BudgetScope[] {
  return limitsAny(limits) ? [{ kind, name, limits }] : none
}

function teamOf(config: GatewayConfig, tenant: string, team: string): BudgetLimits | undefined {
  const teams = ownSettings(config, tenant)?.teams ?? {}
  return Object.hasOwn(teams, team) ? teams[team]?.budgets : undefined
}

/** Everybody of a tenant who has limits, by the configuration and by its virtual keys. */
export function scopesOfTenant(
  config: GatewayConfig,
  tenant: string,
  virtualKeys: readonly VirtualKey[],
): readonly BudgetScope[] {
  const teams = Object.entries(ownSettings(config, tenant)?.teams ?? {})
  const keys = config.tokens.filter((one) => one.tenant === tenant)
  return [
    ...scope('tenant', '', settingsFor(config, tenant).budgets),
    ...teams.flatMap(([name, { budgets }]) => scope('team', name, budgets)),
    ...keys.flatMap((one) => scope('key', keyIdOf(one), one.budgets)),
    ...virtualKeys
      .filter(({ revokedMs, replacedBy }) => revokedMs === undefined && replacedBy === undefined)
      .flatMap(({ id, budgetsOf: first = id, budgets }) => scope('key', first, budgets)),
  ]
}
