import type { TimeoutPhase } from './transport-error.ts'
import { timeoutError } from './transport-error.ts'
import type { PrehendError } from '../../core/index.ts'
import type { UpstreamTimeouts } from './upstream.ts'

/** Bytes are all that is known here: what they say is timed where it is read. */
type TimedPhase = Exclude<TimeoutPhase, 'content' | 'total'>

/** The clocks of one exchange: one for the phase it is in, one for the whole. */
export interface PhaseTimers {
  enter(phase: TimedPhase): void
  /** Something came; the phase begins anew. */
  heard(): void
  /** Nothing is expected, because nobody reads. */
  pause(): void
  stop(): void
}

/**
 * One timer for both clocks, which looks when time may be up and is set again where it is not: most exchanges are over long
 * before, and to set a timer costs more than to note when a phase ends.
 */
export function phaseTimers(timeouts: UpstreamTimeouts, expire: (error: PrehendError) => void): PhaseTimers {
  const limits = { 'connect': timeouts.connectMs, 'first-byte': timeouts.firstByteMs, 'idle': timeouts.idleMs }
  const totalAtMs = performance.now() + timeouts.totalMs
  let phase: TimedPhase | undefined
  let phaseAtMs = Infinity
  let timer: NodeJS.Timeout | undefined
  let looksAtMs = Infinity

  const lookIn = (ms: number, nowMs: number): void => {
    clearTimeout(timer)
    looksAtMs = nowMs + ms
    timer = setTimeout(look, ms)
  }

  const look = (): void => {
    const nowMs = performance.now()
    if (nowMs >= totalAtMs) return expire(timeoutError('total', timeouts.totalMs))
    if (phase !== undefined && nowMs >= phaseAtMs) return expire(timeoutError(phase, limits[phase]))
    lookIn(Math.max(1, Math.ceil(Math.min(phaseAtMs, totalAtMs) - nowMs)), nowMs)
  }

  const begin = (name: TimedPhase): void => {
    const nowMs = performance.now()
    phase = name
    phaseAtMs = nowMs + limits[name]
    const untilMs = Math.min(limits[name], Math.max(1, totalAtMs - nowMs))
    if (nowMs + untilMs < looksAtMs) lookIn(untilMs, nowMs)
  }

  return {
    enter: begin,
    heard() {
      if (phase !== undefined) phaseAtMs = performance.now() + limits[phase]
    },
    pause() {
      phase = undefined
      phaseAtMs = Infinity
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      looksAtMs = -Infinity
    },
  }
}
