/** Rejects when the work takes longer; the work itself goes on. */
export function withinDeadline<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  return new Promise((done, failed) => {
    const timer = setTimeout(() => failed(new Error(`took longer than ${limitMs} ms`)), limitMs)
    work.then(done, failed).finally(() => clearTimeout(timer))
  })
}
