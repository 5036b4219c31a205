import { isPrehendError } from '../../core/index.ts'
import type { TextEmbedder } from '../../knowledge/index.ts'
import { givenMeanings, toolMeanings } from '../../sessions/index.ts'
import type { MeaningWatch, Meanings, TenantEmbedder } from '../../sessions/index.ts'
import { wildcards } from '../access/allowed-routes.ts'
import type { GatewayParts } from '../parts.ts'
import { nameOfError } from '../telemetry/name-of-error.ts'
import { ownSettings, settingsFor } from '../tenant-settings.ts'
import { embeddingDialect } from './embedding-settings.ts'
import type { EmbeddingSettings } from './embedding-settings.ts'
import { upstreamEmbedder } from './upstream-embedder.ts'

export type MeaningParts = Pick<
  GatewayParts,
  'config' | 'store' | 'upstreams' | 'logger' | 'metrics' | 'clock' | 'stopwatch'
>

/** Vectors of tools by the embedder of the host, else by that of the configuration; undefined where there is neither. */
export function gatewayMeanings(parts: MeaningParts, given: TextEmbedder | undefined): Meanings | undefined {
  const { config, store, clock, stopwatch } = parts
  const keeps = (tenant: string): boolean => settingsFor(config, tenant).record === 'content'
  const making = { kept: { store, clock }, stopwatch, watch: watchOf(parts, given?.model ?? 'given') }
  if (given !== undefined) return givenMeanings(given, { ...making, keeps })
  const { embeddings } = config
  if (embeddings === undefined) return undefined
  const { waitMs, timeoutMs } = embeddings
  const closing = new AbortController()
  const embedderOf = embeddersByTenant(parts, { settings: embeddings, closed: closing.signal, keeps })
  const meanings = toolMeanings({ ...making, waitMs, timeoutMs, embedderOf })
  return {
    ...meanings,
    close() {
      meanings.close()
      closing.abort(new Error('the gateway closes'))
    },
  }
}

interface Embedding {
  readonly settings: EmbeddingSettings
  readonly closed: AbortSignal
  readonly keeps: (tenant: string) => boolean
}

/** Texts of a tenant go to an upstream that it may use, with its own key for it where it has one. */
function embeddersByTenant(
  { config, upstreams, metrics }: MeaningParts,
  { settings, closed, keeps }: Embedding,
): (tenant: string) => TenantEmbedder | undefined {
  const { upstream: name, model } = settings
  return (tenant) => {
    const { allowedUpstreams } = ownSettings(config, tenant) ?? {}
    if (allowedUpstreams !== undefined && !wildcards(allowedUpstreams)(name)) return undefined
    const embedder = upstreamEmbedder({
      settings,
      closed,
      upstream: () => upstreams.for({ dialect: embeddingDialect, model, name, tenant }).upstream,
      used: (tokens) => metrics.embeddedTokens.inc({ upstream: name, model }, tokens),
    })
    return { embedder, model: `${name}/${model}`, keeps: keeps(tenant) }
  }
}

function watchOf({ logger, metrics, config }: MeaningParts, given: string): MeaningWatch {
  const { upstream, model } = config.embeddings ?? {}
  const by = upstream === undefined ? { embedder: given } : { upstream, model }
  return {
    counted: (of, result, count) => metrics.embeddings.inc({ of, result }, count),
    failed: (tenant, error) => logger.warn('embeddings-failed', { tenant, ...by, ...reasonOf(error) }),
    back: (tenant) => logger.info('embeddings-back', { tenant, ...by }),
  }
}

/** Codes and statuses only: a message may quote a text. */
function reasonOf(error: unknown): Readonly<Record<string, string | number>> {
  if (!isPrehendError(error)) return { reason: nameOfError(error) }
  const { code, data } = error
  return { reason: code, ...('status' in data && { status: data.status }), remedy: data.remedy }
}
