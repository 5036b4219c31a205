import { UsageError } from './parse-options.js'

export const formatOptions = {
  format: { short: 'f', value: 'FORMAT', about: 'table, json, csv or lines' },
  sort: { value: 'NAME', about: 'sort by a column; -NAME the other way round' },
}

const formats = {
  table: undefined,
  json: (names, rows) => `${JSON.stringify(rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))), null, 2)}\n`,
  csv: (names, rows) => [names, ...rows.map((row) => names.map((name) => row[name]))].map((cells) => `${cells.map(csvCell).join(',')}\n`).join(''),
  lines: (names, rows) => rows.map((row) => `${names.map((name) => `${name}=${escaped(row[name])}`).join('\t')}\n`).join(''),
}

/** Sorts rows, and writes them in a format; `text` is undefined where a table is wanted. */
export function shownRows({ format = 'table', sort }, columns, rows) {
  const names = columns.map(({ name }) => name)
  if (!Object.hasOwn(formats, format)) throw new UsageError(`unknown format "${format}": use table, json, csv or lines`)
  const sorted = sort === undefined ? rows : sortedRows(rows, names, sort)
  return { rows: sorted, text: formats[format]?.(names, sorted) }
}

function sortedRows(rows, names, sort) {
  const name = sort.replace(/^-/, '')
  if (!names.includes(name)) throw new UsageError(`unknown column "${name}": use ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`)
  const sign = sort.startsWith('-') ? -1 : 1
  return rows.toSorted((a, b) => (a[name] === b[name] ? 0 : a[name] < b[name] ? -sign : sign))
}

function csvCell(value) {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function escaped(value) {
  return String(value).replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n')
}
