import { millisecondsIn } from './units.js'

const part = /(\d+)\s*(w|d|h|m|s|ms)/gi

export function parseDuration(text) {
  const trimmed = text.trim()
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * 1000
  const sign = trimmed.startsWith('-') ? -1 : 1
  let total = 0
  for (const [, number, unit] of trimmed.matchAll(part)) {
    total += Math.round(Number(number) * millisecondsIn[unit])
  }
  if (total === 0) throw new RangeError('not a duration: ' + text)
  return sign * total
}
