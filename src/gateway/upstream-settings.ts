import { z } from 'zod'
import { dialectName } from './dialect-name.ts'

/** A provider that requests go to. Without a key, a client's own key goes to the provider whose dialect the client speaks, and to no other. */
const upstream = z.strictObject({
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of the provider. Needed unless the name of the upstream is that of a known provider.'),
  apiKey: z
    .string()
    .min(1)
    .optional()
    .describe('Key that requests are sent with. Without it, clients bring their own key.'),
  credentials: z
    .literal('of-clients')
    .optional()
    .describe(
      'Clients bring a key for this upstream, whatever dialect they speak. Never in place of another upstream.',
    ),
  dialect: z
    .union([dialectName, z.array(dialectName).min(1)])
    .optional()
    .describe('What it speaks, its main dialect first; openai-chat where its name does not tell.'),
  models: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('The models that go there, `*` for any characters. Unless told: those that no other upstream takes.'),
  streamUsage: z
    .boolean()
    .optional()
    .describe(
      'Whether streams of Chat Completions are asked for usage where the client does not ask; the client gets the stream without it. By default, of upstreams with a known name that take `stream_options`.',
    ),
})

/** Providers by name. */
export const upstreams = z.record(z.string().regex(/^[a-z][a-z0-9._-]{0,63}$/, 'is no name in lower case'), upstream)
