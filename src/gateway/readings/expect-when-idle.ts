import type { Drain } from '../http/drain.ts'
import type { ReadingDesk } from './reading.ts'

export interface ExpectWhenIdleOptions {
  readonly readings: Pick<ReadingDesk, 'expect'>
  readonly drain: Pick<Drain, 'underway'>
  /** How long nothing may have been under way before, and how often that is looked at. */
  readonly idleMs?: number
}

/**
 * Gets the desk ready for whoever follows the link that a gateway prints as it starts: in the first moment in which no request is
 * under way. The returned function takes that back.
 */
export function expectWhenIdle({ readings, drain, idleMs = 1000 }: ExpectWhenIdleOptions): () => void {
  const timer = setInterval(() => {
    if (drain.underway > 0) return
    clearInterval(timer)
    readings.expect()
  }, idleMs)
  timer.unref()
  return () => clearInterval(timer)
}
