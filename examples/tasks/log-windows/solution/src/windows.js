import { percentile } from './percentile.js'

export function windows(entries, sizeMs) {
  if (entries.length === 0) return []
  const startOf = ({ timeMs }) => Math.floor(timeMs / sizeMs)
  const groups = Map.groupBy(entries, startOf)
  let [first, last] = [Infinity, -Infinity]
  for (const start of groups.keys()) [first, last] = [Math.min(first, start), Math.max(last, start)]
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const inside = groups.get(first + at) ?? []
    const durations = inside.map(({ durationMs }) => durationMs)
    return {
      startMs: (first + at) * sizeMs,
      count: inside.length,
      errors: inside.filter(({ status }) => status >= 500).length,
      bytes: inside.reduce((sum, { size }) => sum + size, 0),
      slowestMs: percentile(durations, 1),
      p95Ms: percentile(durations, 0.95),
    }
  })
}
