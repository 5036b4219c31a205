import type { Principal } from '../../core/index.ts'
import { limitsAny } from '../budget-settings.ts'
import type { BudgetLimits } from '../budget-settings.ts'
import type { GatewayConfig } from '../config-schema.ts'
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
export type BudgetsOf = (principal: Pick<Principal, 'tenant' | 'team' | 'keyId'>) => readonly BudgetScope[]

/** The limits of a key that the configuration does not name. */
export type KeyBudgets = (principal: Pick<Principal, 'tenant' | 'keyId'>) => BudgetLimits | undefined

const none: readonly BudgetScope[] = []

export function budgetsOf(config: GatewayConfig, ofKey?: KeyBudgets): BudgetsOf {
  const keys = new Map(
    config.tokens.flatMap((one) =>
      one.budgets ? [[JSON.stringify([one.tenant, keyIdOf(one)]), one.budgets] as const] : [],
    ),
  )
  const teams = Object.values(config.tenants).some(({ teams: own }) => own !== undefined)
  const tenants = limitsAny(config.budgets) || Object.values(config.tenants).some(({ budgets }) => limitsAny(budgets))
  if (!tenants && !teams && keys.size === 0 && ofKey === undefined) return () => none
  return ({ tenant, team, keyId }) => {
    const { budgets } = settingsFor(config, tenant)
    const ofTeam = team === undefined ? undefined : teamOf(config, tenant, team)
    const own = keys.get(JSON.stringify([tenant, keyId])) ?? ofKey?.({ tenant, keyId })
    return [
      ...scope('tenant', '', budgets),
      ...(team === undefined ? none : scope('team', team, ofTeam)),
      ...scope('key', keyId, own),
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

/** Everybody of a tenant whom the configuration gives limits. */
export function scopesOfTenant(config: GatewayConfig, tenant: string): readonly BudgetScope[] {
  const teams = Object.entries(ownSettings(config, tenant)?.teams ?? {})
  const keys = config.tokens.filter((one) => one.tenant === tenant)
  return [
    ...scope('tenant', '', settingsFor(config, tenant).budgets),
    ...teams.flatMap(([name, { budgets }]) => scope('team', name, budgets)),
    ...keys.flatMap((one) => scope('key', keyIdOf(one), one.budgets)),
  ]
}
