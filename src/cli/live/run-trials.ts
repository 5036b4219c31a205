import type { PrehendError } from '../../core/index.ts'
import { trialKey } from '../../inspect/index.ts'
import type { Trial, TrialKey } from '../../inspect/index.ts'
import { countsAsResult } from '../../inspect/index.ts'
import { HopelessProvider } from './play-trial.ts'

/** Why not all runs were made. */
export interface Stop {
  readonly why: 'cap' | 'interrupted' | 'provider'
  readonly detail?: string
  /** What the provider said, where no run could have succeeded. */
  readonly refusal?: PrehendError
}

export interface TrialRuns {
  /** In the order in which they are begun. */
  readonly order: readonly TrialKey[]
  readonly earlier: readonly Trial[]
  readonly concurrency: number
  readonly signal: AbortSignal
  play(key: TrialKey): Promise<Trial>
  /** Told of each run as it ends. */
  ended(trial: Trial): void
}

/** A provider that fails so many runs one after the other is down. */
const mostFailures = 3

/** Plays what has no result yet, so many at once. */
export async function runTrials(runs: TrialRuns): Promise<Stop | undefined> {
  const known = new Set(runs.earlier.filter(countsAsResult).map(trialKey))
  const left = runs.order.filter((key) => !known.has(trialKey(key)))
  let stop: Stop | undefined
  let failures = 0
  const note = (trial: Trial): void => {
    runs.ended(trial)
    failures = trial.end === 'error' ? failures + 1 : 0
    const detail = trial.detail === undefined ? {} : { detail: trial.detail }
    if (trial.end === 'cap') stop ??= { why: 'cap' }
    if (failures === mostFailures) stop ??= { why: 'provider', ...detail }
  }
  const worker = async (): Promise<void> => {
    while (stop === undefined && !runs.signal.aborted) {
      const key = left.shift()
      if (key === undefined) return
      try {
        note(await runs.play(key))
      } catch (error) {
        if (!(error instanceof HopelessProvider)) throw error
        runs.ended(error.trial)
        stop ??= { why: 'provider', detail: error.message, refusal: error.refusal }
      }
    }
  }
  await Promise.all(Array.from({ length: runs.concurrency }, worker))
  return runs.signal.aborted ? { why: 'interrupted' } : stop
}
