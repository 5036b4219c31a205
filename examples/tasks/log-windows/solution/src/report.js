import { parseLine } from './parse-line.js'
import { windows } from './windows.js'

export function report(text, { windowMs = 300_000 } = {}) {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  const entries = []
  const unreadable = []
  for (const [at, line] of lines.entries()) {
    const entry = parseLine(line)
    if (entry !== undefined) entries.push(entry)
    else if (line !== '') unreadable.push({ line: at + 1, text: line })
  }
  return { lines: lines.length, counted: entries.length, unreadable, windows: windows(entries, windowMs) }
}
