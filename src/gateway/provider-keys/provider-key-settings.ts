import { z } from 'zod'

const secret = z.string().min(32)

/** How keys of tenants for providers are encrypted in the store. */
export const providerKeySettings = z
  .strictObject({
    secret: secret
      .exactOptional()
      .describe(
        'Secret of the installation, 32 random characters or more, from which the key that encrypts is derived.',
      ),
    previousSecrets: z
      .array(secret)
      .default([])
      .describe('Secrets that were replaced. What they have encrypted is still read, and encrypted anew by a rewrap.'),
    command: z
      .array(z.string().min(1))
      .min(1)
      .exactOptional()
      .describe(
        'A program and its arguments, in place of `secret`: with the last argument `wrap` or `unwrap` it encrypts or decrypts a data key, such as by a KMS. Base64 on standard input and output; no shell.',
      ),
    commandMs: z.number().int().min(100).max(60_000).default(10_000).describe('How long the command may take.'),
    fallBack: z
      .boolean()
      .default(false)
      .describe(
        "Use the configuration's key for a tenant whose own key cannot be read. Default: refuse the requests of that tenant.",
      ),
  })
  .refine(({ secret: one, command }) => one === undefined || command === undefined, {
    path: ['command'],
    error: 'is beside a secret; leave out one of them',
  })

export type ProviderKeySettings = z.output<typeof providerKeySettings>
