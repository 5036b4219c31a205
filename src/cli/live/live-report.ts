import type { Trial, TrialReport } from '../../inspect/index.ts'
import type { Stop } from './run-trials.ts'

/** What `eval --live --json` prints. */
export interface LiveReport extends TrialReport {
  readonly schema: 'prehend.live-report/1'
  readonly model: string
  readonly provider: string
  readonly planned: number
  /** Absent where all runs were made. */
  readonly stopped?: Pick<Stop, 'why' | 'detail'>
  readonly trials: readonly Trial[]
}
