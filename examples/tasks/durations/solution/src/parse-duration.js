import { units } from './units.js'

const whole = new RegExp(`^(-)?${units.map(([unit]) => `(?:(\\d+(?:\\.\\d+)?)\\s*${unit}(?![a-z])\\s*)?`).join('')}$`, 'i')
// `ms` must not be read as `m` and a rest, but digits may follow a unit at once.
const seconds = /^(-)?(\d+(?:\.\d+)?)$/

export function parseDuration(text) {
  if (typeof text !== 'string') throw new TypeError('a duration is a string')
  const trimmed = text.trim()
  const plain = seconds.exec(trimmed)
  if (plain) return Math.round((plain[1] ? -1 : 1) * Number(plain[2]) * 1000)
  const found = whole.exec(trimmed)
  const numbers = found?.slice(2) ?? []
  if (numbers.every((number) => number === undefined)) throw new RangeError(`not a duration: ${JSON.stringify(text)}`)
  const total = numbers.reduce((sum, number, at) => sum + Number(number ?? 0) * units[at][1], 0)
  return Math.round(total) * (found[1] ? -1 : 1)
}
