import { z } from 'zod'
import { didYouMean, invalidInput } from '../../core/index.ts'
import type { PrehendError } from '../../core/index.ts'
import { spokenBy } from '../../providers/index.ts'
import { usualMeaningLimits } from '../../sessions/index.ts'

/** What makes vectors of texts. */
export const embeddingSettings = z.strictObject({
  upstream: z
    .string()
    .min(1)
    .describe(
      'The upstream, by its name in `upstreams`, that answers `/v1/embeddings`. Keys of tenants for it are used.',
    ),
  model: z.string().min(1).max(200).describe('The model that makes the vectors, as the upstream names it.'),
  dimensions: z
    .number()
    .int()
    .min(1)
    .max(16_384)
    .exactOptional()
    .describe('Asks for vectors of this length, and takes no others. Default: what the model gives.'),
  waitMs: z
    .number()
    .int()
    .min(0)
    .max(5_000)
    .default(usualMeaningLimits.waitMs)
    .describe('Longest that a request waits for the vector of what it looks for. Then words alone decide.'),
  timeoutMs: z
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(usualMeaningLimits.timeoutMs)
    .describe('Longest that one call of the upstream may take.'),
})

export type EmbeddingSettings = z.output<typeof embeddingSettings>

interface EmbeddingConfig {
  readonly embeddings?: EmbeddingSettings | undefined
  readonly upstreams: Readonly<
    Record<string, { readonly baseUrl?: string | undefined; readonly credentials?: string | undefined }>
  >
}

/** What is wrong with it: the upstream is one of the configuration, and is never asked with a key of a client. */
export function embeddingErrors({ embeddings, upstreams }: EmbeddingConfig): readonly PrehendError[] {
  if (embeddings === undefined) return []
  const field = 'embeddings.upstream'
  const { upstream: name } = embeddings
  const names = Object.keys(upstreams)
  const settings = Object.hasOwn(upstreams, name) ? upstreams[name] : undefined
  if (settings === undefined) {
    const there = names.length === 0 ? 'There is none; add it to `upstreams`.' : `There are ${names.join(', ')}.`
    return [invalidInput(field, `there is no upstream ${name}`, `${didYouMean(name, names)}${there}`)]
  }
  if (settings.credentials === 'of-clients')
    return [
      invalidInput(field, `${name} has no key but those of clients, which are not used for this`, 'Give one apiKey.'),
    ]
  if (spokenBy(name, settings).some(({ dialect }) => dialect === embeddingDialect)) return []
  const remedy = `Name one that speaks ${embeddingDialect}, or add this to upstreams.${name}.dialect.`
  return [invalidInput(field, `${name} is not known to speak an OpenAI API`, remedy)]
}

/** A server that speaks it answers `/v1/embeddings` as well. */
export const embeddingDialect = 'openai-chat'
