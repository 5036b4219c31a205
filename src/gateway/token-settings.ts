import { z } from 'zod'
import { principalScopes } from '../core/index.ts'
import { budgets } from './budget-settings.ts'
import { tenantName } from './tenant-names.ts'

const label = z.string().min(1).max(200)

/** A token of the configuration, and whose it is. */
export const tokenSettings = z.strictObject({
  token: z.string().min(8),
  tenant: tenantName,
  name: label.exactOptional().describe('What the token is called where it must not be shown.'),
  team: label.exactOptional(),
  user: label.exactOptional(),
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
