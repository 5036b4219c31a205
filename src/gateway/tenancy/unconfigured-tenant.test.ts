import { expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { settingsWarnings, tenantWarnings } from './unconfigured-tenant.ts'

const tokens = [{ token: 'a-long-secret', tenant: 'platform', scopes: ['operator' as const] }]
const config = parseConfig({ tokens, tenants: { web: { policy: 'careful' } } })

it('warns of a tenant that neither a token nor `tenants` names, and of no other', () => {
  for (const tenant of ['web', 'platform']) expect(tenantWarnings(config, tenant)).toEqual([])
  expect(tenantWarnings(config, 'web2')).toEqual(['tenant web2 is in no configuration: no budget, default policy'])
  expect(settingsWarnings(config, 'web2')).toEqual([
    'tenant web2 is in no configuration: the settings hold for its keys alone',
  ])
  expect(tenantWarnings({ ...config, budgets: { usdPerDay: 1 } }, 'web2')).toEqual([
    'tenant web2 is in no configuration: the budgets of all, default policy',
  ])
})
