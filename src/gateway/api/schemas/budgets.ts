import { z } from 'zod'
import { limitNames } from '../../budget-settings.ts'
import { atMs } from './parts.ts'

const amount = z.number().min(0)

export const standingBudget = z
  .strictObject({
    scope: z.enum(['tenant', 'team', 'key']).describe('Whose limit it is.'),
    name: z.string().nullable().describe('Of the team or the key; null for the tenant.'),
    limit: z.enum(limitNames).describe('By its name in the configuration.'),
    unit: z.enum(['usd', 'tokens', 'requests', 'streams']),
    most: amount.describe('What may be spent in the period.'),
    spent: amount.describe('What was, as far as requests have ended.'),
    reserved: amount.describe('What requests under way may still come to.'),
    left: amount.describe('`most` less both.'),
    resetsMs: atMs.nullable().describe('When the period ends; null for streams, which have none.'),
  })
  .meta({ id: 'StandingBudget' })

const ofTenant = { tenant: z.string(), data: z.array(standingBudget) }

export const budgetStanding = z
  .strictObject({
    ...ofTenant,
    tenants: z
      .array(z.strictObject(ofTenant))
      .exactOptional()
      .describe('With `by=tenant`: every tenant that has a limit, by name.'),
  })
  .meta({ id: 'BudgetStanding' })
