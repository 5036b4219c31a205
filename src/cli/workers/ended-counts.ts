/** A metric as prom-client writes it as JSON. */
interface CountedMetric {
  readonly name: string
  readonly type: string
  readonly values: readonly CountedValue[]
}

interface CountedValue {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number>>
  readonly metricName?: string
}

/** What processes had counted that have ended, so that no counter falls. */
export interface EndedCounts {
  /** Takes over the last that was heard of a process. */
  add(metrics: readonly object[]): void
  forgetTenant(tenant: string): void
  /** Their sums: counters and histograms, without gauges, which are of processes that run. */
  metrics(): readonly object[]
}

export function endedCounts(): EndedCounts {
  const sums = new Map<string, CountedMetric>()
  return {
    add(metrics) {
      for (const metric of metrics as readonly CountedMetric[]) {
        if (metric.type !== 'counter' && metric.type !== 'histogram') continue
        const before = sums.get(metric.name)
        sums.set(metric.name, { ...metric, values: added(before?.values ?? [], metric.values) })
      }
    },
    forgetTenant(tenant) {
      for (const metric of withoutTenant([...sums.values()], tenant)) sums.set(metric.name, metric)
    },
    metrics: () => [...sums.values()],
  }
}

/** What was counted without what was counted of a tenant. */
export function withoutTenant(metrics: readonly object[], tenant: string): readonly CountedMetric[] {
  return (metrics as readonly CountedMetric[]).map((metric) => ({
    ...metric,
    values: metric.values.filter(({ labels }) => labels['tenant'] !== tenant),
  }))
}

function added(before: readonly CountedValue[], more: readonly CountedValue[]): readonly CountedValue[] {
  const byLabels = new Map<string, CountedValue>()
  for (const one of [...before, ...more]) {
    const labels = Object.entries(one.labels).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const key = JSON.stringify([one.metricName, labels])
    byLabels.set(key, { ...one, value: one.value + (byLabels.get(key)?.value ?? 0) })
  }
  return [...byLabels.values()]
}
