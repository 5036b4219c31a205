/** What came of work that was given some time; the work itself goes on when it is late. */
export type Timely<Result> =
  | { readonly kind: 'done'; readonly value: Result }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'late'; readonly error: Error }

export function timely<Result>(work: Promise<Result>, limitMs: number): Promise<Timely<Result>> {
  return new Promise((done) => {
    // The error is made only when it is needed: to note where it was made costs more than the timer.
    const late = (): void => done({ kind: 'late', error: new Error(`took longer than ${limitMs} ms`) })
    const timer = setTimeout(late, limitMs)
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
