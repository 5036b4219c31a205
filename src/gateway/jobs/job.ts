/** The rules for jobs of one kind. Its name is a label of the metrics: there are few kinds and many jobs. */
export interface JobKind {
  readonly name: string
  /** Of the jobs that are due, those of a higher priority start first; 0 by default. */
  readonly priority?: number
  /** Jobs that run at once. */
  readonly mostRunning?: number
  /** Jobs that wait or run; 10,000 by default. */
  readonly mostHeld?: number
  /** The sum of their `bytes`. */
  readonly mostBytes?: number
  /** Without room for another job, the new job is dropped, or the waiting jobs that were added first. */
  readonly drops?: 'newest' | 'oldest'
  /** A run that takes longer is aborted and has failed. */
  readonly deadlineMs?: number
  /** Runs after a failed one, each after twice the wait before it, from `backoffMs` (1 s by default). */
  readonly retries?: number
  readonly backoffMs?: number
  /**
   * Of several processes on the same `Hot`, one runs a job of a name, for at most so long. The lease lasts beyond a run that
   * succeeds, so that no other process does the work again at once; it ends with a failure.
   */
  readonly leaseMs?: number
  /**
   * At shutdown: `finish` (the default) runs a waiting job at once, `abort` drops it and aborts one that runs, and a job of
   * `begin` waits for the shutdown to run.
   */
  readonly atDrain?: 'finish' | 'abort' | 'begin'
}

/** A piece of background work. No request waits for it. */
export interface Job {
  readonly kind: JobKind
  /** Distinct among the held jobs of its kind. */
  readonly name: string
  readonly delayMs?: number
  /** From the start of one run to the start of the next; without it there is one run. */
  readonly everyMs?: number
  /** Memory that the job holds until it ends. */
  readonly bytes?: number
  /** Resolves to `last` where no further run is wanted. */
  run(signal: AbortSignal): Promise<unknown>
  /** Called after the last retry, instead of the log. `last` ends a job that repeats. */
  failed?(error: unknown): unknown
  /** Called once, when the job is held no longer, for whatever reason. */
  ended?(): void
}

/** `dropped`: without room, or at the end. `cancelled`: no longer needed. `elsewhere`: another process held the lease. */
export const jobStates = ['waiting', 'running', 'done', 'failed', 'dropped', 'cancelled', 'elsewhere'] as const
export type JobState = (typeof jobStates)[number]

/** Counts jobs: up and down those that wait or run, up only those that have ended. */
export interface JobTally {
  inc(labels: Readonly<Record<'kind' | 'state', string>>, by?: number): void
}
