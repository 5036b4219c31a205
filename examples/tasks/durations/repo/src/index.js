export { parseDuration } from './parse-duration.js'
export { formatDuration } from './format-duration.js'
export { nextRuns } from './plan.js'
