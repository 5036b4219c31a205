import type { Job } from './job.ts'

export interface RunWithin {
  readonly job: Pick<Job, 'run'>
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly stop: AbortSignal
}

/** Runs a job once; aborts it and rejects after so long, whether it listens or not. */
export async function runWithin(mostMs: number, { job, wait, stop }: RunWithin): Promise<unknown> {
  const late = new AbortController()
  const timer = new AbortController()
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const isLate = (): void => {
    late.abort(new Error(`not done within ${mostMs} ms`))
    reject(late.signal.reason)
  }
  void wait(mostMs, AbortSignal.any([timer.signal, stop])).then(isLate, () => undefined)
  try {
    return await Promise.race([job.run(AbortSignal.any([late.signal, stop])), deadline])
  } finally {
    timer.abort()
  }
}
