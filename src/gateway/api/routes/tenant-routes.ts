import { z } from 'zod'
import { route } from '../route.ts'
import { deletedTenant, tenantSize } from '../schemas/tenants.ts'

export const listTenants = route({
  method: 'get',
  path: '/v1/tenants',
  name: 'listTenants',
  scope: 'operator',
  about: 'The tenants of whom the store keeps something, by name, with how much.',
  answer: z.strictObject({ object: z.literal('list'), data: z.array(tenantSize) }),
  example: '/v1/tenants',
})

export const deleteOneTenant = route({
  method: 'delete',
  path: '/v1/tenants/{tenant}',
  name: 'deleteTenant',
  scope: 'operator',
  about:
    'Deletes all that is kept of a tenant: sessions, receipts, texts, statistics, keys, its audit log and its blobs.',
  more: "It cannot be undone. The audit log of the installation says who asked for it. Take the tenant's tokens out of the configuration first: what comes in later is kept again. An interrupted deletion can be asked for again.",
  answer: deletedTenant,
  example: '/v1/tenants/acme',
})
