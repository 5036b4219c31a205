import { otlpAttributes } from './otlp-values.ts'
import type { OtlpAttribute } from './otlp-values.ts'

export interface OtlpTimes {
  readonly startTimeUnixNano: string
  readonly timeUnixNano: string
}

interface NumberPoint extends OtlpTimes {
  readonly attributes: readonly OtlpAttribute[]
  readonly asDouble: number
}

interface HistogramPoint extends OtlpTimes {
  readonly attributes: readonly OtlpAttribute[]
  readonly count: string
  readonly sum: number
  readonly bucketCounts: readonly string[]
  readonly explicitBounds: readonly number[]
}

/** A metric as OTLP writes it in JSON. */
export interface OtlpMetric {
  readonly name: string
  readonly unit: string
  readonly description: string
  readonly sum?: {
    readonly aggregationTemporality: number
    readonly isMonotonic: boolean
    readonly dataPoints: readonly NumberPoint[]
  }
  readonly gauge?: { readonly dataPoints: readonly NumberPoint[] }
  readonly histogram?: { readonly aggregationTemporality: number; readonly dataPoints: readonly HistogramPoint[] }
}

/** What prom-client gives for a metric, as far as it is read here. */
export interface ShownMetric {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly values: readonly ShownValue[]
}

interface ShownValue {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number | undefined>>
  readonly metricName?: string
}

/** Since the process began. */
const cumulative = 2

/** The metrics of `/metrics`, under the names that a collector writes the same names for Prometheus from. */
export function otlpMetrics(shown: readonly ShownMetric[], times: OtlpTimes): readonly OtlpMetric[] {
  return shown.filter(({ values }) => values.length > 0).map((metric) => otlpMetric(metric, times))
}

function otlpMetric({ name, help, type, values }: ShownMetric, times: OtlpTimes): OtlpMetric {
  const described = { ...namedOf(name), description: help }
  if (type === 'histogram') {
    const dataPoints = histogramPoints(values, times)
    return { ...described, histogram: { aggregationTemporality: cumulative, dataPoints } }
  }
  const dataPoints = values.map(({ value, labels }) => ({
    ...times,
    attributes: otlpAttributes(textsOf(labels)),
    asDouble: value,
  }))
  if (type !== 'counter') return { ...described, gauge: { dataPoints } }
  return { ...described, sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints } }
}

const units: readonly (readonly [ending: string, unit: string])[] = [
  ['_seconds', 's'],
  ['_bytes', 'By'],
]

/** `prehend_request_seconds` is `prehend.request` in seconds, and `prehend_tokens_total` is `prehend.tokens`. */
function namedOf(name: string): Pick<OtlpMetric, 'name' | 'unit'> {
  const plain = name.replace(/_total$/, '')
  const [ending, unit] = units.find(([each]) => plain.endsWith(each)) ?? ['', '1']
  const bare = plain.slice(0, plain.length - ending.length)
  return { name: bare.replace(/^prehend_/, 'prehend.'), unit }
}

/** Buckets come with all below them counted in; OTLP has each by itself. */
function histogramPoints(values: readonly ShownValue[], times: OtlpTimes): readonly HistogramPoint[] {
  const groups = Map.groupBy(values, ({ labels }) => JSON.stringify({ ...labels, le: undefined }))
  return Array.from(groups.values(), (group) => {
    const buckets = group.filter(({ metricName }) => metricName?.endsWith('_bucket'))
    const one = (ending: string): number => group.find(({ metricName }) => metricName?.endsWith(ending))?.value ?? 0
    const labels = { ...group[0]?.labels, le: undefined }
    const bounds = buckets.flatMap(({ labels: { le } }) => (typeof le === 'number' ? [le] : []))
    const counts = buckets.map(({ value }, index) => String(value - (buckets[index - 1]?.value ?? 0)))
    return {
      ...times,
      attributes: otlpAttributes(textsOf(labels)),
      count: String(one('_count')),
      sum: one('_sum'),
      bucketCounts: counts,
      explicitBounds: bounds,
    }
  })
}

function textsOf(labels: ShownValue['labels']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const])),
  )
}
