import { expect, it } from 'vitest'
import { gatewayMetrics } from './metrics.ts'

it('jobs are read as they are now and as they have ended, with a bounded number of kinds', async () => {
  const { jobs, registry } = gatewayMetrics()
  jobs.inc({ kind: 'plain', state: 'waiting' }, 2)
  jobs.inc({ kind: 'plain', state: 'waiting' }, -1)
  jobs.inc({ kind: 'plain', state: 'done' })
  for (let kind = 0; kind < 200; kind += 1) jobs.inc({ kind: `kind ${kind}`, state: 'done' })
  // What is read twice is not counted twice.
  for (const text of [await registry.metrics(), await registry.metrics()]) {
    expect(text).toContain('prehend_jobs{kind="plain",state="waiting"} 1')
    expect(text).toContain('prehend_jobs_total{kind="plain",state="done"} 1')
    expect(text).toContain('prehend_jobs_total{kind="other",state="done"} 101')
  }
})
