import type { FlatTable } from './flat-table.ts'
import { tableJson } from './flat-table.ts'

/** A table as comma-separated values (RFC 4180), lines ended by a line feed. */
export function encodeCsv({ keys, rows }: FlatTable): string {
  return [keys, ...rows].map((cells) => cells.map(quoted).join(',')).join('\n')
}

function quoted(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** The compact JSON text of the table that `encodeCsv` was given; undefined where rows are not of one length. */
export function decodeCsv(text: string): string | undefined {
  const [keys = [], ...rows] = recordsOf(text)
  return rows.every(({ length }) => length === keys.length) ? tableJson({ keys, rows }) : undefined
}

function recordsOf(text: string): readonly (readonly string[])[] {
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  for (;;) {
    const { cell, end } = text[at] === '"' ? quotedCell(text, at) : bareCell(text, at)
    record.push(cell)
    at = end + 1
    if (text[end] === ',') continue
    records.push(record)
    record = []
    if (end >= text.length) return records
  }
}

interface Cell {
  readonly cell: string
  /** Where the comma, the line feed or the end of the text stands. */
  readonly end: number
}

function bareCell(text: string, start: number): Cell {
  let end = start
  while (end < text.length && text[end] !== ',' && text[end] !== '\n') end += 1
  return { cell: text.slice(start, end), end }
}

function quotedCell(text: string, start: number): Cell {
  let cell = ''
  let at = start + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return { cell: cell + text.slice(at), end: text.length }
    cell += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { cell, end: quote + 1 }
    cell += '"'
    at = quote + 2
  }
}
