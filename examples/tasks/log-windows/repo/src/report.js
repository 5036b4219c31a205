import { parseLine } from './parse-line.js'
import { windows } from './windows.js'

export function report(text, { windowMs = 300_000 } = {}) {
  const lines = text.split('\n').slice(0, -1)
  const entries = lines.map(parseLine).filter((entry) => entry !== undefined)
  return { lines: lines.length, counted: entries.length, unreadable: [], windows: windows(entries, windowMs) }
}
