import { parseDuration } from './parse-duration.js'

/** The next times at which a plan runs. */
export function nextRuns(plan, from, count) {
  const step = parseDuration(plan.every)
  return Array.from({ length: count }, (_, index) => from + step * index)
}
