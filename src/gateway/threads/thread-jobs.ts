import type { JobTally } from '../jobs/job.ts'
import type { Told } from './messages.ts'

/** The background jobs that a thread holds, by what it tells. */
export interface ThreadJobs {
  heard(told: Told): void
  /** The thread has ended: the jobs that it still held are counted as dropped. */
  ended(): void
}

export function threadJobs(jobs: JobTally): ThreadJobs {
  const held = new Map<string, { readonly kind: string; readonly state: string; count: number }>()
  return {
    heard(told) {
      if (told.to !== 'metrics' || told.name !== 'jobs' || told.labels === undefined) return
      const { kind = '', state = '' } = told.labels
      if (state !== 'waiting' && state !== 'running') return
      const key = `${kind} ${state}`
      const known = held.get(key) ?? { kind, state, count: 0 }
      known.count += told.by
      held.set(key, known)
    },
    ended() {
      for (const { kind, state, count } of held.values()) {
        if (count === 0) continue
        jobs.inc({ kind, state }, -count)
        jobs.inc({ kind, state: 'dropped' }, count)
      }
      held.clear()
    },
  }
}
