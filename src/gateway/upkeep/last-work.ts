/** What is left to be done when a thread stops. */
export interface LastWork {
  add(work: (signal: AbortSignal) => Promise<unknown>): void
  /** Does all of it at once, and waits no longer than that: what is not done by then is left. Never rejects. */
  done(): Promise<void>
}

/** Less than a thread has for its last words. */
const patienceMs = 3000

export function lastWork(failed: (error: unknown) => void): LastWork {
  const works: ((signal: AbortSignal) => Promise<unknown>)[] = []
  return {
    add: (work) => void works.push(work),
    async done() {
      const stop = new AbortController()
      const { promise: over, resolve: isOver } = Promise.withResolvers<void>()
      const timer = setTimeout(() => {
        stop.abort(new Error(`not done within ${patienceMs} ms`))
        isOver()
      }, patienceMs)
      const all = works.splice(0).map(async (work) => work(stop.signal))
      const settled = all.map((one) => one.catch(failed))
      await Promise.race([Promise.all(settled), over])
      clearTimeout(timer)
    },
  }
}
