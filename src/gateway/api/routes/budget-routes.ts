import { z } from 'zod'
import { route } from '../route.ts'
import { budgetStanding } from '../schemas/budgets.ts'
import { name } from '../schemas/parts.ts'

export const budgetsQuery = z.strictObject({
  tenant: name.optional().describe('Another tenant than your own; for operators only.'),
  by: z
    .literal('tenant')
    .optional()
    .describe('`tenants` has all tenants with a limit for an operator, and only your own for others.'),
})

export const showBudgets = route({
  method: 'get',
  path: '/v1/budgets',
  name: 'showBudgets',
  figures: true,
  about: 'The limits of a tenant, its teams and its keys: what is spent, reserved and left, and when each begins anew.',
  query: budgetsQuery,
  answer: budgetStanding,
  example: '/v1/budgets',
})
