/** What came of work that was given some time; the work itself goes on when it is late. */
export type Timely<Result> =
  | { readonly kind: 'done'; readonly value: Result }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'late'; readonly error: Error }

export async function timely<Result>(work: Promise<Result>, limitMs: number): Promise<Timely<Result>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Timely<Result>>((done) => {
    // Made only when it is needed: to note where it was made costs more than the timer.
    timer = setTimeout(() => done({ kind: 'late', error: new Error(`took longer than ${limitMs} ms`) }), limitMs)
  })
  const settled = work.then(
    (value): Timely<Result> => ({ kind: 'done', value }),
    (error: unknown): Timely<Result> => ({ kind: 'failed', error }),
  )
  try {
    return await Promise.race([settled, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Rejects when the work takes longer; the work itself goes on. */
export async function withinDeadline<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  const outcome = await timely(work, limitMs)
  if (outcome.kind === 'done') return outcome.value
  throw outcome.error
}
