import { AggregatorRegistry } from 'prom-client'
import { withinDeadline } from '../../sessions/index.ts'
import { liveness, readiness, showMetrics } from '../api/routes/system-routes.ts'
import { serveOther, serveRoute } from '../api/serve-route.ts'
import type { RouteHost } from '../api/serve-route.ts'
import { refusesAll } from '../budgets/refuses-all.ts'
import type { ServingParts } from '../parts.ts'

/** What load balancers and Prometheus ask. */
export function addHealthRoutes(host: RouteHost, parts: ServingParts): void {
  const { drain, storeId, metrics, siblings } = parts
  serveRoute(host, liveness, () => ({ status: 'ok' as const }))

  serveOther(host, readiness, async ({ query: { strict } }, c) => {
    if (drain.isAnnounced) return c.json({ status: 'stopping' }, 503)
    const state = await stateOf(parts)
    const isReady = state.status === 'ok' || (state.status === 'degraded' && strict !== 'true')
    return c.json({ ...state, ...(storeId !== undefined && { storeId }) }, isReady ? 200 : 503)
  })

  serveOther(host, showMetrics, async (_, c) => {
    return c.text(await shownMetrics(metrics, siblings), 200, { 'content-type': metrics.registry.contentType })
  })
}

/** A gateway without its store or Redis serves on, unless budgets make it refuse all requests until both are back. */
async function stateOf({ store, config, hotTrouble }: ServingParts) {
  const stored = await withinDeadline(store.ping(), config.limits.stageMs).then(
    () => 'ok' as const,
    () => 'failed' as const,
  )
  const hot = hotTrouble() === undefined ? ('ok' as const) : ('failed' as const)
  if (stored === 'ok' && hot === 'ok') return { status: 'ok' as const, store: stored, hot }
  return { status: refusesAll(config) ? ('unavailable' as const) : ('degraded' as const), store: stored, hot }
}

/** Those of all processes that serve on the port. */
async function shownMetrics(
  { registry }: ServingParts['metrics'],
  siblings: ServingParts['siblings'],
): Promise<string> {
  if (siblings === undefined) return registry.metrics()
  const own = await registry.getMetricsAsJSON()
  return AggregatorRegistry.aggregate([own, ...(await siblings.metrics(own))]).metrics()
}
