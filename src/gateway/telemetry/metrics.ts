import { Counter, Gauge, Registry } from 'prom-client'
import type { JobTally } from '../jobs/job.ts'
import { builtInCounters, builtInHistograms } from './built-in-metrics.ts'
import type { DeclaredCounter, DeclaredHistogram } from './built-in-metrics.ts'
import { jobMetrics } from './job-metrics.ts'
import type { JobMetrics } from './job-metrics.ts'
import { shownLayerMetrics } from './layer-metrics.ts'
import type { LayerMetrics, ShownLayerMetrics } from './layer-metrics.ts'
import { addProcessMetrics } from './process-metrics.ts'
import { qualityMetrics } from './quality-metrics.ts'
import type { QualityMetrics } from './quality-metrics.ts'
import { spread } from './spread.ts'
import type { Spread } from './spread.ts'
import { boundedTally } from './tally.ts'
import type { Count, CountedMetric } from './tally.ts'

type Counters = typeof builtInCounters
type Counting<Labels extends readonly string[]> = Labels extends readonly [] ? Count : CountedMetric<Labels[number]>

/** What the gateway counts; further metrics are those that layers declare. */
export type Metrics = { readonly [Name in keyof Counters]: Counting<Counters[Name]['labels']> } & {
  readonly [Name in keyof typeof builtInHistograms]: Spread
} & QualityMetrics & { readonly jobs: JobTally; readonly layers: LayerMetrics }

/** The metrics of the thread that serves, where they are read. */
export type ServedMetrics = Metrics &
  JobMetrics & { readonly layers: ShownLayerMetrics; readonly registry: Registry; readonly inFlight: Gauge }

/** Whose request it was, and who answered. */
export type AnsweredBy = 'tenant' | 'upstream' | 'model'

/** Makes something of each counter and histogram of the gateway's own. */
export function eachBuiltIn(
  counter: (name: string, declared: DeclaredCounter) => Count | CountedMetric<string>,
  histogram: (name: string, declared: DeclaredHistogram) => Spread,
): Omit<Metrics, 'layers' | 'jobs' | keyof QualityMetrics> {
  const counters = Object.entries(builtInCounters).map(([name, declared]) => [name, counter(name, declared)])
  const histograms = Object.entries(builtInHistograms).map(([name, declared]) => [name, histogram(name, declared)])
  return Object.fromEntries([...counters, ...histograms]) as Omit<Metrics, 'layers' | 'jobs' | keyof QualityMetrics>
}

/** The label whose values clients may write. */
const writtenByClients = 'model'

export function gatewayMetrics(): ServedMetrics {
  const registry = new Registry()
  const registers = [registry]
  addProcessMetrics(registry)
  const histogram = (name: string, help: string, bounds: readonly number[]): Spread =>
    spread({ name: `prehend_${name}`, help, bounds, registry })
  const counter = (_: string, declared: DeclaredCounter): Count | CountedMetric<string> => {
    const { name, help, labels } = declared
    if (labels.length === 0) return new Counter({ name: `prehend_${name}`, help, registers })
    return boundedTally(declared, registry, writtenByClients)
  }
  return {
    registry,
    ...eachBuiltIn(counter, (_, { name, help, bounds }) => histogram(name, help, bounds)),
    ...jobMetrics(registers),
    ...qualityMetrics(histogram),
    layers: shownLayerMetrics(registry),
    inFlight: new Gauge({ name: 'prehend_requests_in_flight', help: 'Model requests under way.', registers }),
  }
}
