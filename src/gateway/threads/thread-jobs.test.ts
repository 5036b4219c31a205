import { expect, it } from 'vitest'
import { gatewayMetrics } from '../telemetry/metrics.ts'
import { threadJobs } from './thread-jobs.ts'

it('jobs that a thread held when it died count as dropped, those of others stay', () => {
  const metrics = gatewayMetrics()
  const jobs = threadJobs(metrics.jobs)
  metrics.jobs.inc({ kind: 'summary', state: 'waiting' })
  for (const [state, by] of [
    ['waiting', 3],
    ['waiting', -2],
    ['running', 2],
    ['running', -1],
    ['done', 1],
  ] as const) {
    const labels = { kind: 'summary', state }
    metrics.jobs.inc(labels, by)
    jobs.heard({ to: 'metrics', name: 'jobs', labels, by })
  }
  const figures = {
    kind: 'summary',
    waiting: 2,
    running: 1,
    done: 1,
    failed: 0,
    dropped: 0,
    cancelled: 0,
    elsewhere: 0,
  }
  expect(metrics.jobFigures()).toEqual([figures])
  jobs.ended()
  expect(metrics.jobFigures()).toEqual([{ ...figures, waiting: 1, running: 0, dropped: 2 }])
})
