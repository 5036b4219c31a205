import { units } from './units.js'

export function formatDuration(ms) {
  if (!Number.isInteger(ms)) throw new RangeError('whole milliseconds are needed')
  if (ms === 0) return '0s'
  let left = Math.abs(ms)
  let text = ms < 0 ? '-' : ''
  for (const [unit, size] of units) {
    const count = Math.floor(left / size)
    if (count > 0) text += `${count}${unit}`
    left -= count * size
  }
  return text
}
