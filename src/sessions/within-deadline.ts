import { starvedMs } from '../host/index.ts'

/** What came of work that was given some time; the work itself goes on when it is late. */
export type Timely<Result> =
  | { readonly kind: 'done'; readonly value: Result }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'late'; readonly error: Error }

/** Parts of a limit, each of which counts as no longer than it was meant to be. */
const parts = 8
/** The least that a part counts, however busy the processors are: no work has longer than five times its limit. */
const leastCounted = 0.2

/**
 * What became of the work within a limit. Time in which this process had no processor does not count: what waits for one is not slow itself,
 * and who is left out for it pays for a whole prompt while the machine is busy.
 */
export function timely<Result>(work: Promise<Result>, limitMs: number): Promise<Timely<Result>> {
  return new Promise((done) => {
    const partMs = limitMs / parts
    let leftMs = limitMs
    let starved: number | undefined
    let timer = setTimeout(look, partMs)

    function look(): void {
      const now = starvedMs()
      leftMs -= Math.max(partMs - (now - (starved ?? now)), partMs * leastCounted)
      starved = now
      // Fractions of a part are none.
      if (leftMs > 1e-6 * limitMs) timer = setTimeout(look, Math.min(partMs, leftMs))
      else late()
    }

    // The error is made only when it is needed: to note where it was made costs more than the timer.
    function late(): void {
      done({ kind: 'late', error: new Error(`took longer than ${limitMs} ms`) })
    }

    const settle = (outcome: Timely<Result>): void => {
      clearTimeout(timer)
      done(outcome)
    }
    work.then(
      (value) => settle({ kind: 'done', value }),
      (error: unknown) => settle({ kind: 'failed', error }),
    )
  })
}

/** Rejects when the work takes longer; the work itself goes on. */
export async function withinDeadline<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  const outcome = await timely(work, limitMs)
  if (outcome.kind === 'done') return outcome.value
  throw outcome.error
}
