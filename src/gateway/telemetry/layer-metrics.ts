import type { Registry } from 'prom-client'
import { invalidInput, stableJson } from '../../core/index.ts'
import { firstValues, mostValues, tally } from './tally.ts'
import type { CountedMetric } from './tally.ts'
import { spread } from './spread.ts'
import type { Spread } from './spread.ts'

/** The values of a label: these, or the first ones that come. What is none of them is counted as `other`. */
export type LabelValues = readonly string[] | { readonly most: number }

/** A counter that a layer declares. */
export interface LayerCounter<Label extends string = string> {
  readonly kind: 'counter'
  /** Behind `prehend_`, in small letters, with the unit: `response_cache_total`. */
  readonly name: string
  readonly help: string
  readonly labels?: Readonly<Record<Label, LabelValues>>
}

/** A histogram that a layer declares; it has no labels. */
export interface LayerHistogram {
  readonly kind: 'histogram'
  readonly name: string
  readonly help: string
  /** Upper ends of the buckets, ascending. */
  readonly bounds: readonly number[]
}

/** A metric that a layer adds to `/metrics`. */
export type LayerMetric = LayerCounter | LayerHistogram

/** The labels with which a metric is counted. */
export type LabelsOf<Metric> = Metric extends { readonly labels: infer Declared }
  ? { readonly [Label in keyof Declared & string]: string }
  : undefined

/** What layers count. Each thread declares the metrics of its layers; the thread that serves shows them. */
export interface LayerMetrics {
  /** Throws `invalid-input` where a name is wrong, or declared otherwise already. */
  declare(metrics: readonly LayerMetric[]): void
  /** Adds to a counter (1 by default), or one value to a histogram. What nobody has declared is not counted. */
  count<Metric extends LayerMetric>(metric: Metric, labels: LabelsOf<Metric>, by?: number): void
}

type Labels = Readonly<Record<string, string>>

/** Metrics of layers on the thread that serves. */
export interface ShownLayerMetrics extends LayerMetrics {
  /** What another thread has counted. */
  countNamed(name: string, labels: Labels | undefined, by: number): void
}

interface Known {
  readonly metric: LayerMetric
  add(labels: Labels | undefined, by: number): void
}

export function shownLayerMetrics(registry: Registry): ShownLayerMetrics {
  const known = new Map<string, Known>()
  const countNamed: ShownLayerMetrics['countNamed'] = (name, labels, by) => known.get(name)?.add(labels, by)
  return {
    declare(metrics) {
      for (const metric of metrics) {
        requireMetric(metric)
        const before = known.get(metric.name)
        // A configuration that is put in force anew declares its layers' metrics again.
        if (before && formOf(before.metric) !== formOf(metric)) throw declaredTwice(metric.name)
        if (before) continue
        if (registry.getSingleMetric(`prehend_${metric.name}`)) throw declaredTwice(metric.name)
        known.set(metric.name, shown(metric, registry))
      }
    },
    count: ({ name }, labels, by = 1) => countNamed(name, labels, by),
    countNamed,
  }
}

function shown(metric: LayerMetric, registry: Registry): Known {
  if (metric.kind === 'histogram') {
    const histogram: Spread = spread({ ...metric, name: `prehend_${metric.name}`, registry })
    return { metric, add: (_, value) => histogram.observe(value) }
  }
  const labels = Object.keys(metric.labels ?? {})
  const counts: CountedMetric<string> = tally({ ...metric, labels }, registry)
  const bounds = Object.entries(metric.labels ?? {}).map(([label, values]) => [label, boundOf(values)] as const)
  return {
    metric,
    add(given = {}, by) {
      const bounded = bounds.map(([label, bound]) => [label, bound(given[label] ?? 'none')])
      counts.inc(Object.fromEntries(bounded) as Labels, by)
    },
  }
}

function boundOf(values: LabelValues): (value: string) => string {
  if ('most' in values) return firstValues(values.most)
  return (value) => (values.includes(value) ? value : 'other')
}

/** What cannot change as long as the process runs. */
function formOf({ name: _name, help: _help, ...form }: LayerMetric): string {
  return stableJson(form)
}

/** At least two words: the second is the unit, and the gateway's own names between threads are one word. */
const nameForm = /^[a-z]+(?:_[a-z\d]+)+$/
const mostChars = 60

function requireMetric(metric: LayerMetric): void {
  const { name, help } = metric
  if (!nameForm.test(name) || name.length > mostChars)
    throw invalidInput(
      'layers',
      `has the metric ${JSON.stringify(name)}`,
      'Use small letters and _, with the unit: response_cache_total.',
    )
  if (help.trim() === '') throw invalidInput('layers', `has the metric ${name} without help`, 'Say what it counts.')
  for (const [label, values] of Object.entries(metric.kind === 'counter' ? (metric.labels ?? {}) : {})) {
    const most = 'most' in values ? values.most : values.length
    if (!/^[a-z][a-z_\d]*$/.test(label) || most > mostValues)
      throw invalidInput(
        'layers',
        `has the metric ${name} with the label ${JSON.stringify(label)}`,
        `A label has a name in small letters, and ${mostValues} values at most.`,
      )
  }
}

function declaredTwice(name: string): Error {
  return invalidInput('layers', `has the metric ${name} twice`, 'Give each metric a name of its own.')
}
