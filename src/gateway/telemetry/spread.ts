import type { Metric, MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client'

export interface SpreadOptions {
  readonly name: string
  readonly help: string
  /** Upper ends of the buckets, ascending. */
  readonly bounds: readonly number[]
  readonly registry: Registry
}

/** How many of the values that were observed lie below each of some bounds. */
export interface Spread {
  observe(value: number): void
}

type Values = MetricObjectWithValues<MetricValueWithName<'le'>>

/** A histogram without labels as the registry shows it. The registry's own takes ten times as long to observe a value. */
export function spread({ name, help, bounds, registry }: SpreadOptions): Spread {
  const counts = bounds.map(() => 0)
  let total = 0
  let sum = 0
  const values = (): Values['values'] => {
    let below = 0
    const buckets = bounds.map((le, index) => bucket(le, (below += counts[index] ?? 0)))
    const whole = { value: total, labels: {}, metricName: `${name}_count` }
    return [...buckets, bucket('+Inf', total), { value: sum, labels: {}, metricName: `${name}_sum` }, whole]
  }
  const bucket = (le: number | '+Inf', value: number): Values['values'][number] => {
    return { value, labels: { le }, metricName: `${name}_bucket` }
  }
  const shown = {
    name,
    help,
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: values() }),
  }
  // All that a registry asks of a metric is its name and what it shows.
  registry.registerMetric(shown as unknown as Metric)
  return {
    observe(value: number) {
      const index = bounds.findIndex((bound) => value <= bound)
      if (index >= 0) counts[index] = (counts[index] ?? 0) + 1
      total += 1
      sum += value
    },
  }
}
