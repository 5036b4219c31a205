import type { TimeoutPhase } from './transport-error.ts'
import { timeoutError } from './transport-error.ts'
import type { PrehendError } from '../../core/index.ts'
import type { UpstreamTimeouts } from './upstream.ts'

/** The clocks of one exchange: one for the phase it is in, one for the whole. */
export interface PhaseTimers {
  enter(phase: Exclude<TimeoutPhase, 'total'>): void
  /** Something came; the phase begins anew. */
  heard(): void
  /** Nothing is expected, because nobody reads. */
  pause(): void
  stop(): void
}

export function phaseTimers(timeouts: UpstreamTimeouts, expire: (error: PrehendError) => void): PhaseTimers {
  const limits = { 'connect': timeouts.connectMs, 'first-byte': timeouts.firstByteMs, 'idle': timeouts.idleMs }
  const total = setTimeout(() => expire(timeoutError('total', timeouts.totalMs)), timeouts.totalMs)
  let phase: NodeJS.Timeout | undefined
  return {
    enter(name) {
      clearTimeout(phase)
      phase = setTimeout(() => expire(timeoutError(name, limits[name])), limits[name])
    },
    heard: () => void phase?.refresh(),
    pause() {
      clearTimeout(phase)
      phase = undefined
    },
    stop() {
      clearTimeout(phase)
      clearTimeout(total)
    },
  }
}
