import { isPrehendError } from '../../core/index.ts'
import type { GatewayConfig } from '../config.ts'
import { nameOfError } from '../telemetry/name-of-error.ts'
import { providerUpstreams } from '../upstream/upstreams.ts'
import { embeddingDialect } from './embedding-settings.ts'
import { upstreamEmbedder } from './upstream-embedder.ts'

/** What became of one word that was to have a vector. */
export interface TriedEmbeddings {
  /** With its upstream before it. */
  readonly model: string
  /** Numbers of the vector; undefined where there is none. */
  readonly dimensions?: number
  /** Why there is none, and what to do. */
  readonly problem?: string
}

/** Has the vector of one word made, with the key of the configuration; undefined where it names no embedder. Never rejects. */
export async function tryEmbeddings(config: GatewayConfig): Promise<TriedEmbeddings | undefined> {
  const { embeddings: settings } = config
  if (settings === undefined) return undefined
  const { upstream: name, model } = settings
  const upstreams = providerUpstreams(config)
  const embedder = upstreamEmbedder({
    settings,
    closed: new AbortController().signal,
    upstream: () => upstreams.for({ dialect: embeddingDialect, model, name }).upstream,
    used: () => undefined,
  })
  const tried = { model: `${name}/${model}` }
  try {
    const [vector] = await embedder.embed(['weather'])
    return { ...tried, dimensions: vector?.length ?? 0 }
  } catch (error) {
    return { ...tried, problem: isPrehendError(error) ? error.message : nameOfError(error) }
  } finally {
    await upstreams.close()
  }
}
