import { tryEmbeddings } from '../gateway/index.ts'
import type { GatewayConfig } from '../gateway/index.ts'
import { failed, ok } from './health-check.ts'
import type { HealthCheck } from './health-check.ts'

/** Has the embedder of the configuration make one vector; nothing where it names none. */
export async function embeddingChecks(config: GatewayConfig): Promise<readonly HealthCheck[]> {
  const tried = await tryEmbeddings(config)
  if (tried === undefined) return []
  const { model, dimensions, problem } = tried
  if (problem === undefined) return [ok('embeddings', `${model} makes vectors of ${dimensions} numbers`)]
  return [
    failed(
      'embeddings',
      `${model} makes no vectors: ${problem.replace(/\.+$/, '')}`,
      'Until then, words alone find tools',
    ),
  ]
}
