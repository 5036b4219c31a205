import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { endedCounts } from './ended-counts.ts'

/** What a process counts that has answered so many requests of two tenants. */
async function counted(requests: number): Promise<readonly object[]> {
  const registers = [new Registry()]
  const answers = new Counter({ name: 'answers_total', help: 'Answers.', labelNames: ['tenant', 'status'], registers })
  answers.inc({ status: '200', tenant: 'acme' }, requests)
  answers.inc({ tenant: 'globex', status: '200' }, 1)
  new Gauge({ name: 'in_flight', help: 'Under way.', registers }).set(requests)
  new Histogram({ name: 'seconds', help: 'Time.', buckets: [1], registers }).observe(requests)
  return registers[0]!.getMetricsAsJSON()
}

it('sums counters and histograms of processes that have ended, series by series, and no gauges', async () => {
  const ended = endedCounts()
  ended.add(await counted(2))
  ended.add(await counted(5))
  const values = new Map(
    (ended.metrics() as { name: string; values: { value: number; labels: object; metricName?: string }[] }[]).map(
      ({ name, values: given }) => [name, given.map(({ value, metricName }) => [metricName, value])] as const,
    ),
  )
  expect(values.get('answers_total')).toEqual([
    [undefined, 7],
    [undefined, 2],
  ])
  expect(values.get('seconds')).toEqual([
    ['seconds_bucket', 0],
    ['seconds_bucket', 2],
    ['seconds_sum', 7],
    ['seconds_count', 2],
  ])
  expect(values.has('in_flight')).toBe(false)
  ended.forgetTenant('acme')
  expect(JSON.stringify(ended.metrics())).not.toContain('acme')
  expect(JSON.stringify(ended.metrics())).toContain('globex')
})
