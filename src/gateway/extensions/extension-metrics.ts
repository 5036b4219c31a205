import { invalidInput } from '../../core/index.ts'
import { named } from '../../sessions/index.ts'
import type { CountMetric, SessionAdditions } from '../../sessions/index.ts'
import type { LayerCounter, LayerMetrics } from '../telemetry/layer-metrics.ts'
import type { Additions, ExtensionMetric } from './additions.ts'

/** Values that a label may have; further ones are counted as `other`. */
const mostValues = 100

/** How an extension counts what it has declared. */
export function counterTo(metrics: LayerMetrics): (extension: string, declared: () => SessionAdditions) => CountMetric {
  return (extension, declared) =>
    (metric, labels = {}, by = 1) => {
      const { metrics: own = {} } = declared() as Additions
      const spec = Object.hasOwn(own, metric) ? own[metric] : undefined
      if (spec === undefined)
        throw invalidInput(`${named(extension)}.metrics`, `has no ${JSON.stringify(metric)}`, 'Declare it.')
      if (Number.isFinite(by) && by > 0) metrics.count(counterOf(extension, metric, spec), labels, by)
    }
}

/** Declares the metrics of an extension on this thread. Throws `invalid-input` where Prometheus would not take a name. */
export function declareMetrics(metrics: LayerMetrics, extension: string, { metrics: own = {} }: Additions): void {
  for (const [metric, { labels = [] }] of Object.entries(own))
    for (const name of [metric, ...labels]) requireName(`${named(extension)}.metrics.${metric}`, name)
  metrics.declare(Object.entries(own).map(([metric, spec]) => counterOf(extension, metric, spec)))
}

const nameForm = /^[a-z][a-z0-9_]{0,59}$/

function requireName(field: string, name: string): void {
  if (nameForm.test(name)) return
  throw invalidInput(field, `has the name ${JSON.stringify(name)}`, 'Use lower-case letters, digits and _.')
}

function counterOf(extension: string, metric: string, { help, labels = [] }: ExtensionMetric): Required<LayerCounter> {
  return {
    kind: 'counter',
    name: `extension_${extension.replaceAll('-', '_')}_${metric}_total`,
    help,
    labels: Object.fromEntries(labels.map((label) => [label, { most: mostValues }])),
  }
}
