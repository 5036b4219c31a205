import { expect, it } from 'vitest'
import { builtInCounters, builtInHistograms } from '../telemetry/built-in-metrics.ts'
import { eventRing } from '../telemetry/event-ring.ts'
import type { LayerCounter, LayerHistogram } from '../telemetry/layer-metrics.ts'
import { silentLogger } from '../telemetry/logger.ts'
import { gatewayMetrics } from '../telemetry/metrics.ts'
import type { Count, CountedMetric } from '../telemetry/tally.ts'
import { joinedNews } from './joined-news.ts'
import type { Told } from './messages.ts'
import { hear, toldMetrics } from './tell.ts'

/** Metrics that are counted on one thread and shown by another, which hears of them in one message. */
function acrossThreads() {
  const told: Told[] = []
  const metrics = gatewayMetrics()
  const listeners = { metrics, logger: silentLogger, events: eventRing({ clock: () => 0 }) }
  return {
    counted: toldMetrics((one) => void told.push(one)),
    shown: metrics,
    async lines(): Promise<readonly string[]> {
      for (const news of joinedNews([{ kind: 'told', told: structuredClone(told.splice(0)) }]))
        if (news.kind === 'told') for (const one of news.told) if (one.to !== 'calibration') hear(listeners, one)
      return (await metrics.registry.metrics()).split('\n')
    },
  }
}

it('every metric of the gateway is shown, wherever it was counted', async () => {
  const { counted, lines } = acrossThreads()
  for (const [name, { labels }] of Object.entries(builtInCounters)) {
    const counter = counted[name as keyof typeof builtInCounters]
    if (labels.length === 0) (counter as Count).inc(2)
    else (counter as CountedMetric<string>).inc(Object.fromEntries(labels.map((label) => [label, 'x'])), 2)
  }
  for (const name of Object.keys(builtInHistograms) as (keyof typeof builtInHistograms)[]) counted[name].observe(3)
  const shown = await lines()
  for (const { name, labels } of Object.values(builtInCounters)) {
    const values = labels.map((label) => `${label}="x"`).join(',')
    expect(shown).toContain(`prehend_${name}${values === '' ? '' : `{${values}}`} 2`)
  }
  for (const { name } of Object.values(builtInHistograms)) expect(shown).toContain(`prehend_${name}_sum 3`)
})

it('what layers have declared is shown by its name, added up; what nobody has declared is not', async () => {
  const counter = {
    kind: 'counter',
    name: 'a_total',
    help: 'A.',
    labels: { of: ['b', 'c'] },
  } as const satisfies LayerCounter
  const histogram = {
    kind: 'histogram',
    name: 'b_seconds',
    help: 'B.',
    bounds: [1, 10],
  } as const satisfies LayerHistogram
  const unknown = { kind: 'counter', name: 'unknown_total', help: 'U.' } as const satisfies LayerCounter
  const { counted, shown, lines } = acrossThreads()
  shown.layers.declare([counter, histogram])
  counted.layers.count(counter, { of: 'b' })
  counted.layers.count(counter, { of: 'b' }, 2)
  counted.layers.count(counter, { of: 'z' })
  counted.layers.count(histogram, undefined, 2)
  counted.layers.count(histogram, undefined, 20)
  counted.layers.count(unknown, undefined)
  const found = await lines()
  expect(found).toEqual(
    expect.arrayContaining([
      'prehend_a_total{of="b"} 3',
      'prehend_a_total{of="other"} 1',
      'prehend_b_seconds_bucket{le="10"} 1',
      'prehend_b_seconds_sum 22',
    ]),
  )
  expect(found.join('\n')).not.toContain('unknown_total')
})

it('a configuration that is put in force anew declares the same again, and the count goes on', async () => {
  const counter = { kind: 'counter', name: 'a_total', help: 'A.' } as const satisfies LayerCounter
  const { shown, lines } = acrossThreads()
  for (const by of [1, 2]) {
    shown.layers.declare([counter])
    shown.layers.count(counter, undefined, by)
  }
  expect(await lines()).toContain('prehend_a_total 3')
})
