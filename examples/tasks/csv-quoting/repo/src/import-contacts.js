import { parseCsv } from './parse-csv.js'

/** Contacts as objects, by the names in the first row; empty cells are left out. */
export function importContacts(text) {
  const [head = [], ...rows] = parseCsv(text)
  return rows
    .filter((row) => row.some((cell) => cell !== ''))
    .map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? '']).filter(([, cell]) => cell !== '')))
}
