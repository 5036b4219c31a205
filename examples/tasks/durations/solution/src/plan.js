import { parseDuration } from './parse-duration.js'

/** The next times at which a plan runs. */
export function nextRuns(plan, from, count) {
  const step = parseDuration(plan.every)
  if (step <= 0) throw new RangeError('a plan needs a duration above zero')
  return Array.from({ length: count }, (_, index) => from + step * (index + 1))
}
