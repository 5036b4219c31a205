import { z } from 'zod'
import { route } from '../route.ts'
import { newProviderKey, providerKey, rewrapped, shownSettings } from '../schemas/tenant-settings.ts'
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

const ofAdmins = 'It takes the scope `admin`, and for another tenant `operator`.'

export const showTenantSettings = route({
  method: 'get',
  path: '/v1/tenants/{tenant}/settings',
  name: 'showTenantSettings',
  scope: 'admin',
  about: 'What is stored as settings of a tenant, and its revision.',
  more: `${ofAdmins} What the configuration file says of the tenant is not in it; what is stored goes first.`,
  answer: shownSettings,
  example: '/v1/tenants/acme/settings',
  errors: ['not-found'],
})

export const settingsQuery = z.strictObject({
  revision: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The revision that the change was decided upon: 409 where another one stands.'),
})

export const setTenantSettings = route({
  method: 'put',
  path: '/v1/tenants/{tenant}/settings',
  name: 'setTenantSettings',
  scope: 'operator',
  about: 'Stores settings of a tenant, as `tenants.NAME` of a configuration has them, in place of those stored before.',
  more: 'They are in force on this process when it answers, and on those that share a Redis at once. Requests under way end as they began. Keys for providers are set by a route of their own.',
  query: settingsQuery,
  body: z.record(z.string(), z.unknown()),
  answer: shownSettings,
  example: '/v1/tenants/acme/settings',
  errors: ['conflict'],
})

export const dropTenantSettings = route({
  method: 'delete',
  path: '/v1/tenants/{tenant}/settings',
  name: 'dropTenantSettings',
  scope: 'operator',
  about: 'Removes what is stored as settings of a tenant; what the configuration says holds again.',
  query: settingsQuery,
  answer: shownSettings,
  example: '/v1/tenants/acme/settings',
  errors: ['not-found', 'conflict'],
})

export const listProviderKeys = route({
  method: 'get',
  path: '/v1/tenants/{tenant}/provider-keys',
  name: 'listProviderKeys',
  scope: 'admin',
  about: 'For which providers a tenant has keys of its own, each by its first and last characters.',
  more: ofAdmins,
  answer: z.strictObject({ object: z.literal('list'), data: z.array(providerKey) }),
  example: '/v1/tenants/acme/provider-keys',
  errors: ['not-found'],
})

export const setOneProviderKey = route({
  method: 'put',
  path: '/v1/tenants/{tenant}/provider-keys/{upstream}',
  name: 'setProviderKey',
  scope: 'admin',
  about: 'Stores a key of a tenant for a provider, encrypted, in place of the one before.',
  more: `${ofAdmins} From then on all requests of the tenant go to that upstream with it, those that the gateway makes by itself included. The key is never shown again.`,
  body: newProviderKey,
  answer: providerKey,
  example: '/v1/tenants/acme/provider-keys/openai',
  errors: ['not-found', 'conflict', 'not-configured'],
})

export const dropProviderKey = route({
  method: 'delete',
  path: '/v1/tenants/{tenant}/provider-keys/{upstream}',
  name: 'dropProviderKey',
  scope: 'admin',
  about:
    'Removes the key that a tenant has for a provider; that of the configuration is used again, where there is one.',
  more: ofAdmins,
  answer: providerKey,
  example: '/v1/tenants/acme/provider-keys/openai',
  errors: ['not-found', 'conflict'],
})

export const rewrapKeys = route({
  method: 'post',
  path: '/v1/provider-keys/rewrap',
  name: 'rewrapProviderKeys',
  scope: 'operator',
  about:
    'Encrypts the data keys of all tenants by the present secret or command, once `providerKeys.secret` was replaced.',
  more: 'Until then the secret before must stand in `providerKeys.previousSecrets`. It can be asked for again.',
  body: z.strictObject({}),
  mayBeEmpty: true,
  answer: rewrapped,
  example: '/v1/provider-keys/rewrap',
  errors: ['not-configured'],
})
