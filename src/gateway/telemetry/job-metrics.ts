import { Counter, Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { jobStates } from '../jobs/job.ts'
import type { JobState, JobTally } from '../jobs/job.ts'

/** What has become of the background jobs of a kind, on all threads of the process. */
export interface JobFigures extends Readonly<Record<JobState, number>> {
  readonly kind: string
}

export interface JobMetrics {
  readonly jobs: JobTally
  jobFigures(): readonly JobFigures[]
}

/** Kinds beyond these are counted together. */
const mostKinds = 100
const now: readonly JobState[] = ['waiting', 'running']

const none = (): Record<JobState, number> => ({
  waiting: 0,
  running: 0,
  done: 0,
  failed: 0,
  dropped: 0,
  cancelled: 0,
  elsewhere: 0,
})

export function jobMetrics(registers: Registry[]): JobMetrics {
  const figures = new Map<string, Record<JobState, number>>()
  const of = (kind: string): Record<JobState, number> => {
    const name = figures.has(kind) || figures.size < mostKinds ? kind : 'other'
    const known = figures.get(name) ?? none()
    figures.set(name, known)
    return known
  }
  const each = (states: readonly JobState[], say: (labels: Record<string, string>, value: number) => void): void => {
    for (const [kind, counts] of figures) for (const state of states) say({ kind, state }, counts[state])
  }
  const labelNames = ['kind', 'state']
  const gauge: Gauge = new Gauge({
    name: 'prehend_jobs',
    help: 'Background jobs that wait or run, by kind.',
    labelNames,
    registers,
    collect: () => each(now, (labels, value) => gauge.set(labels, value)),
  })
  const counter: Counter = new Counter({
    name: 'prehend_jobs_total',
    help: 'Runs of background jobs, by kind and how they ended: dropped is without room or at the end, elsewhere is left to another process.',
    labelNames,
    registers,
    collect() {
      counter.reset()
      const ends = jobStates.filter((state) => !now.includes(state))
      each(ends, (labels, value) => counter.inc(labels, value))
    },
  })
  return {
    jobs: {
      inc({ kind, state }, by = 1) {
        of(kind)[state as JobState] += by
      },
    },
    jobFigures: () => Array.from(figures, ([kind, counts]) => ({ kind, ...counts })),
  }
}
