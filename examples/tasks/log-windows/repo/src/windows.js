import { percentile } from './percentile.js'

export function windows(entries, sizeMs) {
  const first = Math.floor(entries[0].timeMs / sizeMs) * sizeMs
  const last = entries[entries.length - 1].timeMs
  const found = []
  for (let startMs = first; startMs < last; startMs += sizeMs) {
    const inside = entries.filter(({ timeMs }) => timeMs >= startMs && timeMs <= startMs + sizeMs)
    found.push({
      startMs,
      count: inside.length,
      errors: inside.filter(({ status }) => status > 500).length,
      bytes: inside.reduce((sum, { size }) => sum + size, 0),
      slowestMs: Math.max(...inside.map(({ durationMs }) => durationMs)),
      p95Ms: percentile(inside.map(({ durationMs }) => durationMs), 0.95),
    })
  }
  return found
}
