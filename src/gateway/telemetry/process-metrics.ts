import { Registry, collectDefaultMetrics } from 'prom-client'
import type { Metric } from 'prom-client'

let collected: Registry | undefined

/** Adds what is measured of the process itself. It is measured once for all gateways of the process: observers of the event loop and of collections never end. */
export function addProcessMetrics(registry: Registry): void {
  if (collected === undefined) {
    collected = new Registry()
    collectDefaultMetrics({ register: collected, prefix: 'prehend_' })
  }
  for (const { name } of collected.getMetricsAsArray())
    registry.registerMetric(collected.getSingleMetric(name) as Metric)
}
