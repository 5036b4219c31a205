import type { z } from 'zod'
import { PrehendError, hasScope } from '../../../core/index.ts'
import { scopesOfTenant } from '../../budgets/budgets-of.ts'
import { usdOf } from '../../budgets/limit-entries.ts'
import type { Budgets } from '../../budgets/open-budgets.ts'
import type { StandingLimit } from '../../budgets/request-outlay.ts'
import type { GatewayConfig } from '../../config.ts'
import type { Store } from '../../../stores/index.ts'
import type { Answered, Asked } from '../route.ts'
import { tenantsOf } from './statistics.ts'
import type { budgetsQuery } from '../routes/budget-routes.ts'
import type { budgetStanding } from '../schemas/budgets.ts'

type Standing = Answered<z.output<typeof budgetStanding>>

interface BudgetsOfAll {
  readonly budgets: Pick<Budgets, 'standing'>
  readonly config: GatewayConfig
  readonly store: Store
}

const mostKeys = 1000

/** How the limits of a tenant stand. Rejects with `forbidden` where another tenant's are asked for by somebody who is no operator. */
export async function answerBudgets(
  { budgets, config, store }: BudgetsOfAll,
  { tenant: asks, asker, query: { tenant = asks, by } }: Asked<typeof budgetsQuery>,
): Promise<Standing> {
  if (tenant !== asks && !hasScope(asker, 'operator')) {
    const remedy = 'Leave `tenant` out, or use the token of an operator.'
    throw new PrehendError('forbidden', `These are the budgets of another tenant. ${remedy}`, { remedy })
  }
  const one = await standingOf({ budgets, config, store }, tenant)
  if (by === undefined) return one
  const names = hasScope(asker, 'operator') ? await tenantsOf({ store, config }, asks) : [asks]
  const all: Pick<Standing, 'tenant' | 'data'>[] = []
  for (const name of names) all.push(name === tenant ? one : await standingOf({ budgets, config, store }, name))
  return { ...one, tenants: all.filter(({ data }) => data.length > 0) }
}

async function standingOf({ budgets, config, store }: BudgetsOfAll, tenant: string) {
  const keys = await store.read('keys').list({ tenant, limit: mostKeys })
  const limits = await budgets.standing(tenant, scopesOfTenant(config, tenant, keys))
  return { tenant, data: limits.map(shown) }
}

function shown({ entry, settled, open }: StandingLimit): Standing['data'][number] {
  const { scope, limit, unit, most = 0, endMs } = entry
  const amountOf = unit === 'nanoUsd' ? usdOf : (amount: number): number => amount
  return {
    scope: scope.kind,
    name: scope.kind === 'tenant' ? null : scope.name,
    limit: limit ?? 'requestsPerDay',
    unit: unit === 'nanoUsd' ? 'usd' : unit,
    most: amountOf(most),
    spent: amountOf(settled),
    reserved: amountOf(open),
    left: amountOf(Math.max(0, most - settled - open)),
    resetsMs: endMs ?? null,
  }
}
