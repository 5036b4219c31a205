import { noExtensions, openExtensions } from '../../sessions/index.ts'
import type { ConfiguredExtension, OpeningParts } from '../../sessions/index.ts'
import type { LayerMetrics } from '../telemetry/layer-metrics.ts'
import { requireAdditions } from './additions.ts'
import type { Additions, GatewayExtensions } from './additions.ts'
import { counterTo, declareMetrics } from './extension-metrics.ts'
import { requireDialectRoutes, requireRoutes } from './extension-routes.ts'
import { loadExtensions } from './load-extensions.ts'
import type { NamedExtension } from './load-extensions.ts'

export interface GatewayOpening extends Omit<OpeningParts, 'counter'> {
  /** Those that the configuration names. */
  readonly named: readonly NamedExtension[]
  /** Those that were handed in. */
  readonly given?: readonly ConfiguredExtension[] | undefined
  /** Where they count; nobody reads counts where absent. */
  readonly metrics?: LayerMetrics | undefined
}

/** Loads and opens extensions on this thread. Rejects with an `invalid-input` that names the one at fault; the others are closed again. */
export async function openGatewayExtensions(opening: GatewayOpening): Promise<GatewayExtensions> {
  const { named, given = [], metrics, ...parts } = opening
  if (named.length + given.length === 0) return noExtensions
  const all = [...(await loadExtensions(named)), ...given]
  const opened = await openExtensions<Additions>(all, { ...parts, counter: metrics && counterTo(metrics) })
  try {
    for (const { name, added } of opened.all) {
      requireAdditions(name, added)
      if (metrics) declareMetrics(metrics, name, added)
      requireRoutes(name, added)
      requireDialectRoutes(name, added)
    }
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}
