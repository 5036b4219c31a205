import { z } from 'zod'
import { atMs } from './parts.ts'

const revision = z.number().int().min(0)

export const shownSettings = z
  .strictObject({
    tenant: z.string(),
    revision: revision.describe('Counts changes, from 1; 0 where nothing is stored.'),
    inForce: revision.describe('The revision that this process goes by.'),
    settings: z.record(z.string(), z.unknown()).describe('What is stored, as it was given.'),
    writtenMs: atMs.exactOptional(),
    warnings: z.array(z.string()).exactOptional().describe('Of a change: that no configuration names the tenant.'),
  })
  .meta({ id: 'TenantSettings' })

export const providerKey = z
  .strictObject({
    tenant: z.string(),
    upstream: z.string(),
    prefix: z.string().describe('The first four characters; empty where the key is shorter than 16.'),
    lastFour: z.string().describe('The last four characters; empty where the key is shorter than 16.'),
    setMs: atMs,
    revision,
    wrappedBy: z
      .string()
      .describe('What encrypts it: `command`, or `secret:` and the id of the secret, which tells nothing of it.'),
    isCurrent: z.boolean().describe('False where that is not the present secret or command: rewrap the keys.'),
    state: z
      .enum(['ready', 'unreadable'])
      .describe(
        '`unreadable`: this process has not the secret by which the key was encrypted, or the row was changed.',
      ),
  })
  .meta({ id: 'ProviderKey' })

/** The body of a request that stores a provider's key for a tenant. */
export const newProviderKey = z.strictObject({
  key: z
    .string()
    .min(1)
    .max(10_000)
    .regex(/^[\x21-\x7e]+$/, 'has characters that no header takes')
    .describe('What the provider gave. It is in no answer.'),
})

export const rewrapped = z.strictObject({
  rewrapped: z.number().int().describe('Keys that are encrypted by the present secret or command since.'),
  current: z.number().int().describe('Keys that were already.'),
  unreadable: z.array(z.strictObject({ tenant: z.string(), upstream: z.string() })),
})
