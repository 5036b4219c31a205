/** The work, or a rejection with the error that `late` makes once so many milliseconds are over. The work itself goes on. */
export async function within<Result>(work: Promise<Result>, ms: number, late: () => Error): Promise<Result> {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), ms)
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
