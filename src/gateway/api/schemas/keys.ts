import { z } from 'zod'
import { principalScopes } from '../../../core/index.ts'
import { allowedRouteForms, isAllowedRoute } from '../../access/allowed-routes.ts'
import { budgets } from '../../budget-settings.ts'
import { keyStates } from '../../keys/key-state.ts'
import { mostGraceMs, usualScopes } from '../../keys/change-keys.ts'
import { tenantName } from '../../tenant-names.ts'
import { atMs } from './parts.ts'

const label = z.string().trim().min(1).max(200)
const time = z.number().int().min(0).max(8.64e15).describe('Milliseconds since the epoch.')
const models = z.array(z.string().min(1).max(200)).min(1).max(200)
const routes = z
  .array(z.string().max(500).refine(isAllowedRoute, `is not one of ${allowedRouteForms}`))
  .min(1)
  .max(200)

/** A key as it is shown: never its secret, nor the hash of it. */
export const key = z
  .strictObject({
    id: z.string(),
    tenant: z.string(),
    team: z.string().exactOptional(),
    user: z.string().exactOptional(),
    name: z.string(),
    prefix: z.string().describe('The first characters of the secret.'),
    scopes: z.array(z.enum(principalScopes)),
    allowedModels: z.array(z.string()).exactOptional(),
    allowedRoutes: z.array(z.string()).exactOptional(),
    budgets: budgets.exactOptional(),
    budgetsOf: z.string().exactOptional().describe('The key whose budgets it goes on with.'),
    state: z.enum(keyStates).describe('Only an `active` key is good.'),
    createdMs: atMs,
    expiresMs: atMs.exactOptional(),
    revokedMs: atMs.exactOptional(),
    replacedBy: z.string().exactOptional().describe('The key that a rotation made in its place.'),
    lastUsedMs: atMs.exactOptional().describe('To the minute. Milliseconds since the epoch.'),
  })
  .meta({ id: 'Key' })

const secret = z.string().describe('To be sent as a token. It is in no other answer.')

const warnings = z
  .array(z.string())
  .exactOptional()
  .describe('What is worth a look, such as a tenant that no configuration names.')

export const madeKey = z.strictObject({ ...key.shape, secret, warnings }).meta({ id: 'MadeKey' })

export const rotatedKey = z.strictObject({ ...madeKey.shape, replaced: key }).meta({ id: 'RotatedKey' })

export const newKey = z
  .strictObject({
    name: label,
    tenant: tenantName
      .optional()
      .describe('Whose key. Default: your own tenant; only an operator may name another one.'),
    team: label.optional(),
    user: label.optional(),
    scopes: z
      .array(z.enum(principalScopes))
      .min(1)
      .optional()
      .describe(
        `What the key may do. \`inference\`: ask models. \`read\`: read receipts, sessions and figures of its tenant. \`admin\`: manage the keys of its tenant. \`operator\`: those of all tenants. \`metrics\`: read \`/metrics\` and the health of the gateway, and nothing else; only an operator may give it. Default: ${usualScopes.join(', ')}.`,
      ),
    allowedModels: models
      .optional()
      .describe('Models that it may use, `*` for any characters. Default: all of its tenant.'),
    allowedRoutes: routes
      .optional()
      .describe(
        'Routes that it may use, conversations included, such as `POST /v1/messages`. Default: all of its tenant.',
      ),
    budgets: budgets.optional().describe('What its requests may spend, beside what its tenant and its team may.'),
    expiresMs: time.optional().describe('When it ends. Milliseconds since the epoch. Default: never.'),
  })
  .meta({ id: 'NewKey' })

export const keyChange = z
  .strictObject({
    name: label.optional(),
    allowedModels: models.nullable().optional().describe('null: all of its tenant.'),
    allowedRoutes: routes.nullable().optional().describe('null: all of its tenant.'),
    budgets: budgets.nullable().optional().describe('All of them anew. null: none.'),
    expiresMs: time.nullable().optional().describe('null: never. Milliseconds since the epoch.'),
  })
  .meta({ id: 'KeyChange' })

export const rotation = z
  .strictObject({
    graceMs: z
      .number()
      .int()
      .min(0)
      .max(mostGraceMs)
      .default(0)
      .describe('How long the old secret is still good. Default: 0. Most: 30 days.'),
  })
  .meta({ id: 'Rotation' })
