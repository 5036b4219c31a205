/** How a thread that does not come back from its work can be told from one that has much to do: memory that both sides see. */
export interface Pulse {
  /** Goes up as long as the thread comes back from what it does. */
  readonly beats: number
  /** The number of the request that it began to work on last. */
  readonly working: number
  works(request: number): void
  /** Beats until what it gives has ended, and all else that beats. */
  during<Result>(request: number, work: () => Promise<Result>): Promise<Result>
}

const beatMs = 100

/** Two counters: beats, and the request that is worked on. */
export const pulseBytes = 2 * Int32Array.BYTES_PER_ELEMENT

export function pulseOf(shared: SharedArrayBuffer): Pulse {
  const [beats, working] = [0, 1]
  const cells = new Int32Array(shared)
  let timer: NodeJS.Timeout | undefined
  let underway = 0
  const works = (request: number): void => {
    Atomics.add(cells, beats, 1)
    Atomics.store(cells, working, request)
  }
  return {
    get beats() {
      return Atomics.load(cells, beats)
    },
    get working() {
      return Atomics.load(cells, working)
    },
    works,
    async during(request, work) {
      works(request)
      underway += 1
      timer ??= setInterval(() => Atomics.add(cells, beats, 1), beatMs)
      try {
        return await work()
      } finally {
        underway -= 1
        if (underway === 0) {
          clearInterval(timer)
          timer = undefined
        }
      }
    },
  }
}

export interface WatchPulse {
  readonly stopwatch: () => number
  /** How long it may stand still. */
  readonly limitMs: number
  /** Called once, when it has. */
  readonly stopped: () => void
}

const lookMs = 250

/** Looks at a pulse now and then, until the returned function is called. */
export function watchPulse(pulse: Pulse, { stopwatch, limitMs, stopped }: WatchPulse): () => void {
  let { beats } = pulse
  let sinceMs = stopwatch()
  const look = (): void => {
    const nowMs = stopwatch()
    if (pulse.beats !== beats) {
      beats = pulse.beats
      sinceMs = nowMs
    } else if (nowMs - sinceMs > limitMs) {
      clearInterval(timer)
      stopped()
    }
  }
  const timer = setInterval(look, Math.min(lookMs, limitMs))
  return () => clearInterval(timer)
}
