import { Counter } from 'prom-client'
import type { Registry } from 'prom-client'

/** Removes what was counted of a tenant, so that its name is shown no more. Only counters name tenants. */
export async function forgetSeries(registry: Registry, tenant: string): Promise<void> {
  for (const metric of registry.getMetricsAsArray() as readonly unknown[]) {
    if (!(metric instanceof Counter)) continue
    const { values } = await metric.get()
    for (const { labels } of values) if (labels['tenant'] === tenant) metric.remove(labels)
  }
}
