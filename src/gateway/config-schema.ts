import { z } from 'zod'
import { defaultPolicy } from '../compiler/index.ts'
import { imageLibraries } from './image-library.ts'
import { tokenizerModes } from '../tokens/index.ts'
import { allowedRouteForms, defaultAllowedRoutes, isAllowedRoute } from './access/allowed-routes.ts'
import { trustedProxies } from './access/client-address.ts'
import { dropHeaders, forwardHeaders } from './access/dropped-headers.ts'
import { budgets } from './budget-settings.ts'
import { checklist, constraints } from './constraints.ts'
import { embeddingSettings } from './embeddings/embedding-settings.ts'
import { modelRoutes } from './model-routes.ts'
import { modelSettings } from './model-settings.ts'
import {
  limits,
  promptCache,
  retention,
  tenantLimits,
  tenantPromptCache,
  tenantRetention,
  tenantTimeouts,
  timeouts,
} from './limits.ts'
import { compactionSettings } from './compaction-settings.ts'
import { providerKeySettings } from './provider-keys/provider-key-settings.ts'
import { otlpSettings } from './otlp/otlp-settings.ts'
import { summaries } from './summary-settings.ts'
import { tenantName } from './tenant-names.ts'
import { tokenSettings } from './token-settings.ts'
import { toolSettings } from './tools/tool-settings.ts'
import { upstreams } from './upstream-settings.ts'

const hostName = z
  .string()
  .regex(/^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/i, 'is not the name of a host, without a scheme and a port')
  .toLowerCase()

const pageOrigin = z
  .string()
  .regex(/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/i, 'is not an origin, such as https://app.example')
  .toLowerCase()

const names = z.record(z.string().min(1), z.string().min(1))
const others = z.record(z.string().min(1), z.array(z.string().min(1)).min(1))

const tokenizer = z.union([z.enum(tokenizerModes), z.literal('bpe').transform(() => 'exact' as const)], {
  error: `is not one of ${[...tokenizerModes, 'bpe'].join(', ')}`,
})
const record = z.enum(['content', 'receipts'])
const repairs = z.number().int().min(0).max(10)

const allowedRoutes = z.array(z.string().refine(isAllowedRoute, `is not one of ${allowedRouteForms}`))
const patterns = z.array(z.string().min(1)).min(1)
const moduleName = z.string().min(1).max(1000)

/** An extension by its module, and its configuration. */
const extension = z.union(
  [
    moduleName.transform((module) => ({ module })),
    z.strictObject({
      module: moduleName.describe('Path or package of the module.'),
      config: z.unknown().exactOptional().describe('Configuration that the module is opened with.'),
    }),
  ],
  { error: 'is not a module, nor an object with `module` and `config`' },
)

const s3Credentials = z.strictObject({
  accessKeyId: z.string().min(1).exactOptional().describe('Id of the access key.'),
  secretAccessKey: z.string().min(1).exactOptional().describe('Secret of the access key.'),
  sessionToken: z.string().min(1).exactOptional().describe('Of temporary credentials.'),
  region: z.string().min(1).exactOptional().describe('Default: that of an AWS host, else us-east-1.'),
})

/** What a tenant's requests may not say otherwise. */
const pinned = z.array(z.enum(['mode', 'policy', 'rehydrate']))

const label = z.string().min(1).max(200)

/** What a tenant may have otherwise, as it is written in a configuration or stored. */
export const tenantSettings = z.strictObject({
  policy: z.string().min(1).optional().describe('Name of the policy for the tenant, in place of `policy` of all.'),
  mode: z.enum(['on', 'observe', 'off']).optional().describe('In place of `mode` of all.'),
  rehydrate: z.boolean().optional().describe('In place of `rehydrate` of all.'),
  pinned: pinned.optional().describe('In place of `pinned` of all.'),
  allowedRoutes: allowedRoutes.optional().describe('In place of `allowedRoutes` of all.'),
  allowedModels: patterns.optional().describe('Models that the tenant may use, `*` for any characters. Default: all.'),
  allowedUpstreams: patterns.optional().describe('Upstreams that the tenant may use. Default: all.'),
  wholeAccount: z.boolean().optional().describe('In place of `wholeAccount` of all.'),
  budgets: budgets.exactOptional().describe('What the tenant may spend, in place of `budgets` of all.'),
  teams: z
    .record(label, z.strictObject({ budgets: budgets.exactOptional().describe('What the team may spend.') }))
    .exactOptional()
    .describe('What the teams of its tokens may spend, each within what the tenant may.'),
  constraints: constraints.optional().describe('In place of `constraints` of all.'),
  checklist: checklist.exactOptional().describe('In place of `checklist` of all.'),
  models: modelSettings.exactOptional().describe('Facts about models, before those of `models` of all.'),
  aliases: names.exactOptional().describe('Names for models, before those of `aliases` of all.'),
  modelRoutes: modelRoutes.exactOptional().describe('Routes of models, before those of `modelRoutes` of all.'),
  fallbacks: others.exactOptional().describe('Fallbacks of models, before those of `fallbacks` of all.'),
  upstreams: upstreams.exactOptional().describe('Providers by name, before those of `upstreams` of all.'),
  summaries: summaries
    .pick({ model: true, handoffModel: true })
    .exactOptional()
    .describe('Models that write summaries for the tenant.'),
  compaction: compactionSettings.exactOptional().describe('Goes before `compaction` of all, member by member.'),
  retention: tenantRetention
    .exactOptional()
    .describe('How long the data of the tenant are kept, at most as long as those of all.'),
  largestWindow: z.boolean().optional().describe('In place of `largestWindow` of all.'),
  tokenizer: tokenizer.optional().describe('In place of `tokenizer` of all.'),
  record: record.optional().describe('In place of `record` of all.'),
  repairs: repairs.optional().describe('In place of `repairs` of all.'),
  limits: tenantLimits.optional().describe('Limits of the tenant; the others are those of all.'),
  timeouts: tenantTimeouts.optional().describe('Timeouts of the tenant; the others are those of all.'),
  promptCache: tenantPromptCache
    .optional()
    .describe("Settings of the tenant's prompt caches; the others are those of all."),
  metadata: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Figures of the policy by name, such as `epochs_keep_full`, and `context_policy`.'),
})

/** A configuration as it is written. */
export const configSchema = z.strictObject({
  $schema: z
    .string()
    .exactOptional()
    .describe('Address of the JSON Schema by which an editor checks the file. The gateway ignores it.'),
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address that the gateway listens on. Beyond loopback, `tokens` are needed.'),
  port: z
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8484)
    .describe('Port that the gateway listens on; 0 takes a free one.'),
  tokens: z
    .array(tokenSettings)
    .default([])
    .describe('Bearer tokens and whose they are; needed beyond loopback, and for virtual keys.'),
  operators: z
    .array(tenantName)
    .default([])
    .describe(
      'Tenants whose tokens see the figures of all tenants (`GET /v1/stats?by=tenant`, `/metrics`), manage the virtual keys of all and read the audit log; they see nothing else of theirs.',
    ),
  allowedRoutes: allowedRoutes
    .default(defaultAllowedRoutes)
    .describe(
      "Provider routes, beside conversations and counts, that tenants may use with the operator's key: `stateless`, `responses` and `objects` are groups, all else is a route. Holds where there are tokens.",
    ),
  wholeAccount: z
    .boolean()
    .default(false)
    .describe("Let every token use every route and every object of the providers' accounts."),
  pinned: pinned
    .default([])
    .describe(
      'What requests may not choose: `mode`, `policy` (with its settings, and `mode`) and `rehydrate` are those of the configuration.',
    ),
  allowedHosts: z
    .array(hostName)
    .default([])
    .describe('Names of this gateway, beside those of loopback, that clients without a token may ask for it by.'),
  allowedOrigins: z
    .array(pageOrigin)
    .default([])
    .describe('Whose pages in a browser may use the gateway, beside its own. Default: none.'),
  forwardHeaders,
  dropHeaders,
  trustedProxies,
  threads: z
    .number()
    .int()
    .min(0)
    .max(64)
    .optional()
    .describe(
      'Threads for large bodies, beside the one that serves. Default: one less than there are cores, 8 at most.',
    ),
  mode: z
    .enum(['on', 'observe', 'off'])
    .default('on')
    .describe('observe: compile and record, but forward the bytes of the client unchanged. off: forward only.'),
  policy: z
    .union([z.string().min(1), z.record(z.string(), z.unknown())])
    .default(defaultPolicy.id)
    .describe('What a compile is to do: the name of a policy, or a policy.'),
  policies: z
    .array(z.record(z.string(), z.unknown()))
    .default([])
    .describe('Policies of your own, each whole or with `extends`; requests and tenants name them by their `id`.'),
  settings: z
    .record(z.string(), z.unknown())
    .default({})
    .describe(
      'Figures that all policies say otherwise, by name, such as `pressure_compress`; those of tenants go before them.',
    ),
  tenants: z.record(tenantName, tenantSettings).default({}).describe('What tenants have otherwise.'),
  budgets: budgets.default({}).describe('What each tenant may spend that has no `budgets` of its own.'),
  models: modelSettings.default({}).describe('What is known better of models, by name.'),
  largestWindow: z
    .boolean()
    .default(true)
    .describe(
      'Ask for the `largerWindow` of models that have one, so that a model does not finish early. The window of packs follows.',
    ),
  tokenizer: tokenizer
    .default('exact')
    .describe(
      'exact, the default: count with vocabularies. heuristic: estimate, with none. bpe is another name of exact.',
    ),
  rehydrate: z.boolean().default(true).describe('Offer the model a tool that brings back what was left out.'),
  searchHistory: z
    .boolean()
    .default(false)
    .describe(
      'Offer the model a tool that finds what was said earlier in its session, also what its client has dropped since. It needs recorded content.',
    ),
  record: record
    .default('content')
    .describe('receipts: keep decisions and what handles bring back, not the requests themselves.'),
  extensions: z
    .array(extension)
    .default([])
    .describe(
      'Modules that add to the gateway, by path or package; each thread opens them. `{"module", "config"}` configures one.',
    ),
  otlp: otlpSettings
    .optional()
    .describe('Exports spans and metrics to a collector of OpenTelemetry. Default: nowhere.'),
  hot: z
    .string()
    .regex(/^rediss?:\/\/[^/]/, 'is no address of a Redis server; give one such as redis://127.0.0.1:6379')
    .optional()
    .describe(
      'A Redis server, `redis://HOST:PORT`, that gateways on one store share: which of them does background work. The package `redis` must be installed. Default: this process alone.',
    ),
  blobs: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where bytes are kept that are no text, such as those of extensions: a folder, or `s3://HOST/BUCKET/PREFIX?region=REGION` of an S3-compatible store, for which the package `aws4fetch` must be installed. Default: the folder `blobs` beside the store.',
    ),
  s3: s3Credentials.optional().describe('What requests to that store are signed with, where its address does not say.'),
  providerKeys: providerKeySettings
    .optional()
    .describe('How keys that tenants have for providers are encrypted in the store.'),
  tools: toolSettings
    .prefault({})
    .describe('Where tools come from that the gateway finds and runs, and how long they may take.'),
  embeddings: embeddingSettings
    .optional()
    .describe(
      'Makes vectors, by which tools are found by what they mean, too. Descriptions of tools, and what users and models look for, go to its upstream. Default: words alone.',
    ),
  images: z
    .enum(imageLibraries)
    .optional()
    .describe(
      'The module, installed beside the gateway, that makes smaller images where `media` of a policy asks for them.',
    ),
  constraints: constraints
    .default([])
    .describe('What replies are held against, where it has a `check`: one that breaks a hard one never goes out.'),
  checklist: checklist
    .default([])
    .describe('What answers should have: the model is asked once more with exactly the points that an answer lacks.'),
  repairs: repairs
    .default(2)
    .describe(
      'So often a model is asked again whose answer breaks a hard constraint, before the request ends in an error.',
    ),
  aliases: names
    .default({})
    .describe(
      'Names for models: what a client asks for, and what is asked of the provider, with `UPSTREAM/` before it or not.',
    ),
  modelRoutes: modelRoutes
    .default({})
    .describe(
      'Names that clients ask for where the policy (`modelPreference`) chooses the model, and the cheap and the dear model of each.',
    ),
  fallbacks: others
    .default({})
    .describe('Models to ask, in order, where the one of this name is overloaded or cannot be reached.'),
  upstreams: upstreams.default({}).describe('Providers and servers by name, in the order in which they are asked.'),
  timeouts: timeouts.prefault({}).describe('How long the gateway waits for a provider, in milliseconds.'),
  limits: limits.prefault({}).describe('Sizes and times that bound what requests may use.'),
  retention: retention.prefault({}).describe('How long the store keeps what is recorded.'),
  promptCache: promptCache.prefault({}).describe("How the gateway keeps the providers' prompt caches warm."),
  summaries: summaries.prefault({}).describe('Models that write summaries, and how long they may take.'),
  compaction: compactionSettings
    .default({})
    .describe('When sessions are compacted, and how; sessions and requests go before it.'),
})

/**
 * How a gateway behaves. Every setting has a value.
 * @interface
 */
export type GatewayConfig = Omit<z.output<typeof configSchema>, 'policy'> & {
  readonly policy: string
  /** By tenant, upstreams for which it has a stored key that cannot be read: its requests go there with no key at all. */
  readonly unreadableKeys?: { readonly [tenant: string]: readonly string[] }
}

/** The same, as a user writes it. */
export type GatewayConfigInput = z.input<typeof configSchema>
