import type { EventSink } from '../telemetry/event-ring.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Count, Metrics, Tally } from '../telemetry/metrics.ts'
import { qualityMetricNames } from '../telemetry/quality-metrics.ts'
import type { QualityMetrics } from '../telemetry/quality-metrics.ts'
import type { Spread } from '../telemetry/spread.ts'
import type { CalibrationKeeper } from '../upkeep/calibration-keeper.ts'
import type { Told } from './messages.ts'

export type Tell = (told: Told) => void

/** Metrics that are counted by somebody else. */
export function toldMetrics(tell: Tell): Metrics {
  const tally = <Label extends string>(name: keyof Metrics): Tally<Label> => ({
    inc: (labels, by = 1) => tell({ to: 'metrics', name, labels, by }),
  })
  const count = (name: keyof Metrics): Count => ({ inc: (by = 1) => tell({ to: 'metrics', name, by }) })
  const spread = (name: keyof Metrics): Spread => ({
    observe: (by) => tell({ to: 'metrics', name, by, isValue: true }),
  })
  return {
    requests: tally('requests'),
    tokens: tally('tokens'),
    dollars: tally('dollars'),
    cacheMisses: tally('cacheMisses'),
    refreshes: tally('refreshes'),
    summaries: tally('summaries'),
    roleDollars: tally('roleDollars'),
    cachedContents: tally('cachedContents'),
    epochs: tally('epochs'),
    rehydrations: tally('rehydrations'),
    markers: tally('markers'),
    hiddenLost: count('hiddenLost'),
    constraints: tally('constraints'),
    routed: tally('routed'),
    waste: tally('waste'),
    skipped: tally('skipped'),
    slow: tally('slow'),
    storeTroubles: tally('storeTroubles'),
    upstreamFailures: tally('upstreamFailures'),
    turnedAway: tally('turnedAway'),
    threadsEnded: tally('threadsEnded'),
    aborts: count('aborts'),
    overhead: spread('overhead'),
    firstByte: spread('firstByte'),
    qualityBreaches: tally('qualityBreaches'),
    ...(Object.fromEntries(qualityMetricNames.map((name) => [name, spread(name)])) as QualityMetrics),
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
  readonly metrics: Metrics
  readonly logger: Logger
  readonly calibration: CalibrationKeeper
  readonly events: EventSink
}

/** What was told in another thread, said where it belongs. */
export function hear({ metrics, logger, calibration, events }: Listeners, told: Told): void {
  if (told.to === 'log') logger[told.level](told.event, told.fields)
  else if (told.to === 'events') events.tell(told.happening)
  else if (told.to === 'calibration') calibration.learn(told.seen)
  else {
    const metric: Spread | Count | Tally<string> = metrics[told.name]
    if ('observe' in metric) metric.observe(told.by)
    else if (told.labels) (metric as Tally<string>).inc(told.labels, told.by)
    else (metric as Count).inc(told.by)
  }
}
