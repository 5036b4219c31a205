import type { ContentKind } from './content-kinds.ts'
import type { DataTable } from './data-table.ts'
import { isTableRule } from './kind-tables.ts'
import { readJsonTable } from './read-json-table.ts'
import { lineNumbers } from './text-lines.ts'

/** Fewer rows are not worth figures of them. */
const leastRows = 12
const mostColumns = 200
const mostAround = 600

/** Reads values parted by a delimiter, drawn boxes with one line a row, and JSON lists of records; undefined for everything else, and without a header. */
export function readTable(text: string, kind: ContentKind): DataTable | undefined {
  if (kind !== 'table' && kind !== 'json') return undefined
  const table = kind === 'json' ? readJsonTable(text) : readLines(text)
  if (table === undefined || table.rows.length < leastRows || table.names.length > mostColumns) return undefined
  // Cells of a notebook are no rows.
  if (kind === 'json' && table.names.includes('cell_type')) return undefined
  return table.before.length > mostAround || table.after.length > mostAround ? undefined : table
}

interface Form {
  readonly delimiter: string
  readonly leastCells: number
  cellsOf(line: string): readonly string[]
  join(cells: readonly string[]): string
}

const barred = (bar: string): Form => ({
  delimiter: bar,
  leastCells: 2,
  cellsOf: (line) => {
    const inner = line.trim().replace(bar, (first, at) => (at === 0 ? '' : first))
    return (inner.endsWith(bar) ? inner.slice(0, -1) : inner).split(bar).map((cell) => cell.trim())
  },
  join: (cells) => `${bar} ${cells.join(` ${bar} `)} ${bar}`,
})

const parted = (delimiter: string, leastCells: number): Form => ({
  delimiter,
  leastCells,
  cellsOf: (line) => quotedCells(line, delimiter),
  join: (cells) => cells.join(delimiter),
})

const forms: readonly Form[] = [barred('|'), barred('│'), barred('┃'), parted('\t', 2), parted(',', 3), parted(';', 3)]

function readLines(text: string): DataTable | undefined {
  const lines = text.split('\n')
  for (const form of forms) {
    if (!lines.some((line) => line.includes(form.delimiter))) continue
    const table = readForm(lines, form)
    if (table !== undefined) return table
  }
  return undefined
}

function readForm(lines: readonly string[], form: Form): DataTable | undefined {
  const cells = lines.map((line) => (isTableRule(line) ? [] : form.cellsOf(line)))
  const size = usualSize(cells)
  if (size < form.leastCells) return undefined
  const first = cells.findIndex(({ length }) => length === size)
  const last = cells.findLastIndex(({ length }) => length === size)
  const between = cells.slice(first, last + 1)
  if (between.some(({ length }, at) => length !== size && !isRule(lines[first + at] ?? ''))) return undefined
  const names = cells[first] ?? []
  if (names.every((name) => name === '' || /^["']?[-+.\d\s]*["']?$/.test(name))) return undefined
  return tableOf({ lines, cells, form, first, last })
}

function isRule(line: string): boolean {
  return line.trim() === '' || isTableRule(line)
}

/** How many cells most lines have, rules and blank lines left out. */
function usualSize(cells: readonly (readonly string[])[]): number {
  const times = new Map<number, number>()
  for (const { length } of cells) if (length > 1) times.set(length, (times.get(length) ?? 0) + 1)
  return [...times].reduce((best, [size, count]) => (count > (times.get(best) ?? 0) ? size : best), 0)
}

interface Found {
  readonly lines: readonly string[]
  readonly cells: readonly (readonly string[])[]
  readonly form: Form
  /** Of the header and of the last row. */
  readonly first: number
  readonly last: number
}

function tableOf({ lines, cells, form, first, last }: Found): DataTable {
  const numbers = lineNumbers(lines)
  const names = cells[first] ?? []
  const places = cells.flatMap(({ length }, at) => (at > first && at <= last && length === names.length ? [at] : []))
  const [top, bottom] = frameOf(lines, first, last)
  const isAll = (columns: readonly number[]): boolean => columns.length === names.length
  const picked = (at: number, columns: readonly number[]): string =>
    form.join(columns.map((column) => cells[at]?.[column] ?? ''))
  return {
    names,
    rows: places.map((at) => ({
      cells: cells[at] ?? [],
      first: numbers[at] ?? 1,
      last: (numbers[at + 1] ?? 2) - 1,
    })),
    before: lines.slice(0, top).map(withBreak).join(''),
    after: lines
      .slice(bottom + 1)
      .map(broken)
      .join(''),
    header: (columns) =>
      isAll(columns) ? lines.slice(top, places[0] ?? first + 1).join('\n') : picked(first, columns),
    row: (index, columns) => (isAll(columns) ? (lines[places[index] ?? 0] ?? '') : picked(places[index] ?? 0, columns)),
    said: unquoted,
  }
}

const withBreak = (line: string): string => `${line}\n`
const broken = (line: string): string => `\n${line}`

/** Where the table begins and ends with the rules that stand around it. */
function frameOf(lines: readonly string[], first: number, last: number): readonly [top: number, bottom: number] {
  const top = isTableRule(lines[first - 1] ?? '') ? first - 1 : first
  const bottom = isTableRule(lines[last + 1] ?? '') ? last + 1 : last
  return [top, bottom]
}

function unquoted(cell: string): string {
  const bare = cell.trim()
  return bare.length > 1 && bare.startsWith('"') && bare.endsWith('"') ? bare.slice(1, -1).replaceAll('""', '"') : bare
}

/** The cells of a line as written; none where a quotation mark is left open. */
function quotedCells(line: string, delimiter: string): readonly string[] {
  if (!line.includes('"')) return line.split(delimiter)
  const cells: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') quoted = !quoted
    else if (!quoted && line[at] === delimiter) {
      cells.push(line.slice(start, at))
      start = at + 1
    }
  }
  return quoted ? [] : [...cells, line.slice(start)]
}
