import { setTimeout as delay } from 'node:timers/promises'

/** The simulated provider's time; every wait goes through it. */
export interface SimulationClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Rejects with the signal's reason when it is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

export interface ManualClock extends SimulationClock {
  /** Lets time pass: waits that end on the way end in order, with what they start. */
  advance(ms: number): Promise<void>
}

export function realClock(): SimulationClock {
  return {
    now: () => Date.now(),
    wait: (ms, signal) => (ms > 0 ? delay(ms, undefined, signal ? { signal } : {}) : Promise.resolve()),
  }
}

interface Sleeper {
  readonly untilMs: number
  wake(): void
}

/** Stands still until it is told to move. */
export function manualClock(startMs = 0): ManualClock {
  let nowMs = startMs
  let sleepers: readonly Sleeper[] = []

  function sleep(untilMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((wake, fail) => {
      const leave = (): void => {
        sleepers = sleepers.filter((other) => other !== sleeper)
        signal?.removeEventListener('abort', abort)
      }
      const abort = (): void => {
        leave()
        fail(signal?.reason)
      }
      const sleeper: Sleeper = {
        untilMs,
        wake: () => {
          leave()
          wake()
        },
      }
      sleepers = [...sleepers, sleeper]
      signal?.addEventListener('abort', abort)
    })
  }

  return {
    now: () => nowMs,
    wait(ms, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason as Error)
      return ms > 0 ? sleep(nowMs + ms, signal) : Promise.resolve()
    },
    async advance(ms) {
      const endMs = nowMs + ms
      for (;;) {
        await settled()
        const next = sleepers.toSorted((a, b) => a.untilMs - b.untilMs)[0]
        if (next === undefined || next.untilMs > endMs) break
        nowMs = next.untilMs
        next.wake()
      }
      nowMs = endMs
    },
  }
}

/** Everything that can run without time passing has run. */
function settled(): Promise<void> {
  return new Promise((done) => {
    setImmediate(done)
  })
}
