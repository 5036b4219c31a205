import { z } from 'zod'
import { principalScopes } from '../core/index.ts'
import { budgets } from './budget-settings.ts'
import { tenantName } from './tenant-names.ts'

const label = z.string().min(1).max(200)

/** A token of the configuration, and whose it is. */
export const tokenSettings = z.strictObject({
  token: z.string().min(8).describe('The secret that clients send, 8 characters or more.'),
  tenant: tenantName.describe('The tenant that requests with the token belong to.'),
  name: label.exactOptional().describe('What the token is called where it must not be shown.'),
  team: label.exactOptional().describe('The team that requests with the token are counted for.'),
  user: label.exactOptional().describe('The user that requests with the token are counted for.'),
  scopes: z
    .array(z.enum(principalScopes))
    .min(1)
    .exactOptional()
    .describe(
      'What the token may do. Default: `inference` and `read`, and all of it for an operator, which beyond loopback `operators` names. `operator` alone makes a token that manages keys and asks no model.',
    ),
  budgets: budgets
    .exactOptional()
    .describe('What may be spent with the token, beside what its tenant and its team may.'),
})
