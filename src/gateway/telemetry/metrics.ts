import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import type { CounterConfiguration } from 'prom-client'
import { qualityMetrics } from './quality-metrics.ts'
import type { QualityMetrics } from './quality-metrics.ts'
import { spread } from './spread.ts'
import type { Spread } from './spread.ts'

/**
 * What the gateway counts. Every label has a short, fixed set of values: nothing a client sends becomes one, so neither
 * text nor numbers of series can leak in.
 */
export interface Metrics extends QualityMetrics {
  readonly requests: Tally<'route' | 'status'>
  readonly tokens: Tally<'kind' | 'family'>
  readonly dollars: Tally<'kind' | 'family'>
  readonly cacheMisses: Tally<'cause' | 'by'>
  readonly refreshes: Tally<'result'>
  readonly summaries: Tally<'result'>
  readonly roleDollars: Tally<'role' | 'family'>
  readonly cachedContents: Tally<'event'>
  readonly epochs: Tally<'decision' | 'cause'>
  readonly rehydrations: Tally<'result'>
  readonly markers: Tally<'result'>
  readonly hiddenLost: Count
  readonly constraints: Tally<'action'>
  readonly routed: Tally<'tier'>
  readonly waste: Tally<'use'>
  readonly qualityBreaches: Tally<'measure' | 'action'>
  readonly skipped: Tally<'stage'>
  readonly slow: Tally<'stage'>
  readonly storeTroubles: Tally<'kind'>
  readonly upstreamFailures: Tally<'reason'>
  readonly turnedAway: Tally<'reason'>
  readonly threadsEnded: Tally<'why'>
  readonly aborts: Count
  readonly overhead: Spread
  readonly firstByte: Spread
}

/** The metrics of the thread that serves, where they are read. */
export interface ServedMetrics extends Metrics {
  readonly registry: Registry
  readonly inFlight: Gauge
}

/** A counter without labels. */
export interface Count {
  inc(by?: number): void
}

/** A counter with labels. */
export interface Tally<Label extends string> {
  inc(labels: Readonly<Record<Label, string>>, by?: number): void
}

interface Counted<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>
  count: number
}

/** Adds up between two readings and tells the registry when it is read: it looks labels up far slower than a map does. */
function tally<Label extends string>(
  description: Omit<CounterConfiguration<Label>, 'collect'>,
  labelNames: Label[],
): Tally<Label> {
  const since = new Map<string, Counted<Label>>()
  const counter: Counter<Label> = new Counter({
    ...description,
    labelNames,
    collect() {
      for (const { labels, count } of since.values()) counter.inc(labels, count)
      since.clear()
    },
  })
  return {
    inc(labels, by = 1) {
      let key = ''
      for (const name of labelNames) key += `${labels[name]}\n`
      const known = since.get(key)
      if (known) known.count += by
      else since.set(key, { labels, count: by })
    },
  }
}

const secondsFine = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]
const secondsCoarse = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

export function gatewayMetrics(): ServedMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'prehend_' })
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]): Tally<Label> =>
    tally({ name: `prehend_${name}`, help, registers }, labelNames)
  const histogram = (name: string, help: string, bounds: readonly number[]): Spread =>
    spread({ name: `prehend_${name}`, help, bounds, registry })

  return {
    registry,
    requests: counter('requests_total', 'Requests answered, by route and class of status.', ['route', 'status']),
    tokens: counter('tokens_total', 'Tokens: as they came, as sent, and as the provider reported them.', [
      'kind',
      'family',
    ]),
    dollars: counter(
      'cost_usd_total',
      "Dollars: spent; estimated, the client's own requests (client) and all of them with our cache marks (pass-through); of mode observe paid (observed), and estimated for mode on (if-on).",
      ['kind', 'family'],
    ),
    ...promptMetrics(counter),
    ...qualityMetrics(histogram),
    qualityBreaches: counter(
      'quality_breaches_total',
      'Measures of packs that were out of bounds, and what came of it.',
      ['measure', 'action'],
    ),
    epochs: counter('epoch_decisions_total', 'Decisions to hold or begin an epoch, and why.', ['decision', 'cause']),
    rehydrations: counter('rehydrations_total', 'Calls of the rehydrate tool.', ['result']),
    markers: counter(
      'copied_markers_total',
      'Markers of ours in calls: written out, left, or in replies that were answered, or passed on, because of one.',
      ['result'],
    ),
    constraints: counter('constraints_broken_total', 'Constraints that replies broke, and what came of it.', [
      'action',
    ]),
    routed: counter('routed_requests_total', 'Requests that left their model open, by tier that was asked.', ['tier']),
    hiddenLost: new Counter({
      name: 'prehend_hidden_lost_total',
      help: 'Hidden exchanges that could not be put back into their conversation.',
      registers,
    }),
    skipped: counter('stages_skipped_total', 'Stages that failed; the request went on as it came.', ['stage']),
    slow: counter('stages_slow_total', 'Stages that took longer than they should.', ['stage']),
    storeTroubles: counter('store_troubles_total', 'Times the store was held by another process, or its thread died.', [
      'kind',
    ]),
    upstreamFailures: counter('upstream_failures_total', 'Requests the provider did not finish.', ['reason']),
    turnedAway: counter('turned_away_total', 'Requests that were sent nowhere: no such route, or none for who asks.', [
      'reason',
    ]),
    threadsEnded: counter('threads_ended_total', 'Threads that did not come back from a request, or died.', ['why']),
    aborts: new Counter({ name: 'prehend_client_aborts_total', help: 'Clients that left early.', registers }),
    overhead: histogram('overhead_seconds', 'Time spent here before a request went upstream.', secondsFine),
    firstByte: histogram('upstream_first_byte_seconds', 'Time until the provider began to answer.', secondsCoarse),
    inFlight: new Gauge({ name: 'prehend_requests_in_flight', help: 'Model requests under way.', registers }),
  }
}

type Counting = <Label extends string>(name: string, help: string, labelNames: Label[]) => Tally<Label>

/** What becomes of prompts at their provider, and of what they hold. */
function promptMetrics(
  counter: Counting,
): Pick<ServedMetrics, 'summaries' | 'roleDollars' | 'cacheMisses' | 'refreshes' | 'cachedContents' | 'waste'> {
  return {
    cacheMisses: counter(
      'cache_missed_tokens_total',
      'Tokens that were sent before and were not read from the cache, by why, and by who had changed them.',
      ['cause', 'by'],
    ),
    refreshes: counter(
      'cache_refreshes_total',
      'Prompts of silent sessions that were read again so that they stay in their cache, and whether they were still there.',
      ['result'],
    ),
    summaries: counter(
      'summaries_total',
      'Blocks of conversations that a model was to summarise: written, known already, or failed and left.',
      ['result'],
    ),
    roleDollars: counter('role_cost_usd_total', 'Dollars spent by what models were asked for.', ['role', 'family']),
    cachedContents: counter('cached_contents_total', 'What became of prompts that Google keeps by name.', ['event']),
    waste: counter(
      'followed_tokens_total',
      'Tokens in each request of results, evidence and memory that an answer has followed, where that is tracked, and whether any has used them.',
      ['use'],
    ),
  }
}
