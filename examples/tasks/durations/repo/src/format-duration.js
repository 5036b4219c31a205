import { units } from './units.js'

export function formatDuration(ms) {
  let left = Math.abs(ms)
  const parts = []
  for (const [unit, size] of units) {
    const count = Math.floor(left / size)
    if (count > 0) parts.push(`${count}${unit}`)
    left -= count * size
  }
  return parts.join('')
}
