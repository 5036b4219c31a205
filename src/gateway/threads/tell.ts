import type { EventSink } from '../telemetry/event-ring.ts'
import type { Logger } from '../telemetry/logger.ts'
import { eachBuiltIn } from '../telemetry/metrics.ts'
import type { Metrics, ServedMetrics } from '../telemetry/metrics.ts'
import { qualityMetricNames } from '../telemetry/quality-metrics.ts'
import type { QualityMetrics } from '../telemetry/quality-metrics.ts'
import type { Spread } from '../telemetry/spread.ts'
import type { Count, CountedMetric } from '../telemetry/tally.ts'
import type { Told } from './messages.ts'

export type Tell = (told: Told) => void

/** Metrics that another thread counts. */
export function toldMetrics(tell: Tell): Metrics {
  const tally = (name: string): CountedMetric<string> => ({
    inc: (labels, by = 1) => tell({ to: 'metrics', name, labels, by }),
  })
  const count = (name: string): Count => ({ inc: (by = 1) => tell({ to: 'metrics', name, by }) })
  const spread = (name: string): Spread => ({
    observe: (by) => tell({ to: 'metrics', name, by, isValue: true }),
  })
  return {
    ...eachBuiltIn((name, { labels }) => (labels.length === 0 ? count(name) : tally(name)), spread),
    ...(Object.fromEntries(qualityMetricNames.map((name) => [name, spread(name)])) as QualityMetrics),
    jobs: tally('jobs'),
    layers: {
      // The thread that serves has the same layers, and has declared them.
      declare: () => undefined,
      count: ({ kind, name }, labels, by = 1) =>
        tell({ to: 'metrics', name, labels, by, ...(kind === 'histogram' && { isValue: true }) }),
    },
  }
}

/** A log that is written by somebody else. */
export function toldLogger(tell: Tell): Logger {
  const at =
    (level: keyof Logger): Logger['info'] =>
    (event, fields) =>
      tell({ to: 'log', level, event, fields })
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

export interface Listeners {
  readonly metrics: ServedMetrics
  readonly logger: Logger
  readonly events: EventSink
}

/** What was told in another thread, said where it belongs. */
export function hear(
  { metrics, logger, events }: Listeners,
  told: Exclude<Told, { readonly to: 'calibration' }>,
): void {
  if (told.to === 'log') logger[told.level](told.event, told.fields)
  else if (told.to === 'events') events.tell(told.happening)
  else {
    const { name, labels, by } = told
    const metric = memberOf(metrics, name)
    if (metric === undefined) metrics.layers.countNamed(name, labels, by)
    else if ('observe' in metric) metric.observe(by)
    else if (labels) (metric as CountedMetric<string>).inc(labels, by)
    else (metric as Count).inc(by)
  }
}

/** Names of members are one word, those of layers' metrics several. */
function memberOf(metrics: ServedMetrics, name: string): Spread | Count | CountedMetric<string> | undefined {
  return name.includes('_')
    ? undefined
    : (metrics[name as keyof Metrics] as Spread | Count | CountedMetric<string> | undefined)
}
