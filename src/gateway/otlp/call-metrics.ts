import type { SpanAttributes, SpanRecord } from '../../tracing/index.ts'
import { otlpAttributes } from './otlp-values.ts'
import type { OtlpMetric, OtlpTimes } from './otlp-metrics.ts'

/** What calls of models took, by the names and bounds of the conventions for generative AI. */
export interface CallMetrics {
  /** Counts the calls of a request. */
  count(children: readonly SpanRecord[]): void
  metrics(times: OtlpTimes): readonly OtlpMetric[]
}

interface Distribution {
  readonly labels: SpanAttributes
  readonly counts: number[]
  sum: number
  count: number
}

interface Instrument {
  readonly name: string
  readonly unit: string
  readonly description: string
  readonly bounds: readonly number[]
}

const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864]

const instruments = {
  duration: {
    name: 'gen_ai.client.operation.duration',
    unit: 's',
    description: 'How long calls of models took, until the last of their reply.',
    bounds: seconds,
  },
  firstChunk: {
    name: 'gen_ai.client.operation.time_to_first_chunk',
    unit: 's',
    description: 'How long streams took until their first chunk.',
    bounds: [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
  usage: {
    name: 'gen_ai.client.token.usage',
    unit: '{token}',
    description: 'Tokens that calls of models read and wrote.',
    bounds: tokens,
  },
} as const satisfies Readonly<Record<string, Instrument>>

/** Clients write names of models: what comes after so many series is counted nowhere. */
const mostSeries = 1000

export function callMetrics(): CallMetrics {
  const series = new Map<keyof typeof instruments, Map<string, Distribution>>()

  const observe = (name: keyof typeof instruments, labels: SpanAttributes, value: unknown): void => {
    if (typeof value !== 'number') return
    const ofName = series.get(name) ?? new Map<string, Distribution>()
    series.set(name, ofName)
    const key = JSON.stringify(labels)
    const known = ofName.get(key)
    if (known === undefined && ofName.size >= mostSeries) return
    const { bounds } = instruments[name]
    const one = known ?? { labels, counts: Array<number>(bounds.length + 1).fill(0), sum: 0, count: 0 }
    ofName.set(key, one)
    const index = bounds.findIndex((bound) => value <= bound)
    const bucket = index < 0 ? bounds.length : index
    one.counts[bucket] = (one.counts[bucket] ?? 0) + 1
    one.sum += value
    one.count += 1
  }

  const countCall = ({ attributes, startMs, endMs, error }: SpanRecord): void => {
    const labels = labelsOf(attributes)
    const ofDuration = error === undefined ? labels : { ...labels, 'error.type': error }
    observe('duration', ofDuration, (endMs - startMs) / 1000)
    observe('firstChunk', labels, attributes['gen_ai.response.time_to_first_chunk'])
    for (const type of ['input', 'output'])
      observe('usage', { ...labels, 'gen_ai.token.type': type }, attributes[`gen_ai.usage.${type}_tokens`])
  }

  const count = (children: readonly SpanRecord[]): void => {
    for (const child of children) {
      if (child.kind === 'client' && child.attributes['gen_ai.operation.name'] !== undefined) countCall(child)
      count(child.children)
    }
  }

  return {
    count,
    metrics: (times) =>
      [...series].map(([name, ofName]) => {
        const { bounds, ...described } = instruments[name]
        const dataPoints = Array.from(ofName.values(), (one) => ({
          ...times,
          attributes: otlpAttributes(one.labels),
          count: String(one.count),
          sum: one.sum,
          bucketCounts: one.counts.map(String),
          explicitBounds: bounds,
        }))
        return { ...described, histogram: { aggregationTemporality: 2, dataPoints } }
      }),
  }
}

function labelsOf(attributes: SpanAttributes): SpanAttributes {
  const names = ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model']
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = attributes[name]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}
