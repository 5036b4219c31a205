import type { DataTable } from './data-table.ts'
import { failedColumns } from './failed-cells.ts'
import type { ColumnFacts } from './table-figures.ts'
import { extremes, isSummable } from './table-figures.ts'

export interface TableWorth {
  readonly table: DataTable
  readonly facts: readonly ColumnFacts[]
  /** Worth of each line (from 0); rows with one of 1 and more stay. */
  readonly values: Float32Array
  /** Words of the task, in lower case. */
  readonly words: ReadonlySet<string>
}

/**
 * The columns that say most for their length, up to a share of the characters of a row, in their order: the first one, which names the row, what the task
 * speaks of, then those that tell rows apart; never what is the same in all rows. Whatever its length, a column in which one of a few rows says that it has failed, or why.
 */
export function pickColumns(worth: TableWorth, share: number): readonly number[] {
  const picked = usualColumns(worth, share)
  if (picked.length === worth.table.names.length) return picked
  const failed = worth.table.rows.flatMap((_, row) => (mustStay(worth, row) ? [row] : []))
  return [...new Set([...picked, ...failedColumns(worth.table, new Set(failed))])].toSorted((a, b) => a - b)
}

function usualColumns({ table, facts, words }: TableWorth, share: number): readonly number[] {
  const all = [...table.names.keys()]
  if (share >= 1) return all
  const sizes = all.map((column) => usualLength(table, column))
  const room = share * sizes.reduce((sum, size) => sum + size, 0)
  const worth = (column: number): number => {
    const { name = '', values, empty = 0 } = facts[column] ?? {}
    if (column === 0) return Infinity
    if (wordsIn(name).some((word) => words.has(word))) return 1000
    const different = values?.size ?? 0
    return different < 2 ? -1 : (Math.log2(different) * (1 - empty / table.rows.length)) / (sizes[column] ?? 1)
  }
  let used = 0
  let taken = 0
  const picked = all
    .toSorted((a, b) => worth(b) - worth(a))
    .filter((column) => {
      const size = sizes[column] ?? 0
      if (column !== 0 && (worth(column) < 0 || (taken >= fewestColumns && used + size > room))) return false
      used += size
      taken += 1
      return true
    })
  return picked.toSorted((a, b) => a - b)
}

/** One alone says nothing of anything. */
const fewestColumns = 2
const looked = 200

/** With its delimiter; of the first rows. */
function usualLength({ rows }: DataTable, column: number): number {
  const sample = rows.slice(0, looked)
  return 2 + sample.reduce((sum, { cells }) => sum + (cells[column]?.length ?? 0), 0) / Math.max(1, sample.length)
}

export interface RowRoom {
  readonly columns: readonly number[]
  /** What rows may take besides those that must stay; below 0 nothing else stays. */
  readonly characters: number
}

const foldLength = 36
const heads = 3
const tails = 2

/** Rows that must stay; then those at the ends, with words of the task, and with extremes; then others evenly, as many as there is room for. */
export function pickRows(worth: TableWorth, { columns, characters }: RowRoom): ReadonlySet<number> {
  const { table } = worth
  const size = table.rows.length
  const picked = new Set(table.rows.flatMap((_, row) => (mustStay(worth, row) ? [row] : [])))
  let left = characters
  const take = (row: number, markers: number): boolean => {
    if (picked.has(row)) return true
    const length = table.row(row, columns).length + 1 + markers * foldLength
    if (length > left) return false
    left -= length
    picked.add(row)
    return true
  }
  const ends = [...Array(heads).keys(), ...Array.from({ length: tails }, (_, at) => size - 1 - at)]
  for (const row of ends) take(row, 0)
  const half = left / 2
  for (const row of [...askedFor(worth), ...extremeRows(worth)]) if (left < half || !take(row, 1)) break
  for (const row of evenly(size)) if (![row, row + 1, row + 2].every((at) => at >= size || take(at, 1 / 3))) break
  return withoutTinyGaps(table, columns, picked)
}

/** Rows between two that are shown which are no longer than the marker that would stand for them are shown. */
function withoutTinyGaps(table: DataTable, columns: readonly number[], picked: Set<number>): ReadonlySet<number> {
  let last = -1
  for (const row of [...picked].toSorted((a, b) => a - b)) {
    const between = Array.from({ length: row - last - 1 }, (_, at) => last + 1 + at)
    const isTiny =
      between.length <= mostTiny && between.map((at) => table.row(at, columns)).join('\n').length <= foldLength
    if (isTiny) for (const at of between) picked.add(at)
    last = row
  }
  return picked
}

const mostTiny = 3

function mustStay({ table, values }: TableWorth, row: number): boolean {
  const { first = 1, last = 0 } = table.rows[row] ?? {}
  for (let line = first - 1; line < last; line++) if ((values[line] ?? 0) >= 1) return true
  return false
}

/** Rows that share words with the task that are not in most rows, the most words first. */
function askedFor({ table, words }: TableWorth): readonly number[] {
  if (words.size === 0) return []
  // Most rows share none: nothing is made for them.
  const shared = new Map<number, ReadonlySet<string>>()
  for (const [row, { cells }] of table.rows.entries()) {
    const found = sharedWords(cells, words)
    if (found) shared.set(row, found)
  }
  const times = new Map<string, number>()
  for (const row of shared.values()) for (const word of row) times.set(word, (times.get(word) ?? 0) + 1)
  const worth = (word: string): number => Math.max(0, Math.log(table.rows.length / 2 / (times.get(word) ?? 1)))
  const scores = new Map<number, number>()
  for (const [row, found] of shared) {
    const score = [...found].reduce((sum, word) => sum + worth(word), 0)
    if (score > 0) scores.set(row, score)
  }
  return [...scores.keys()].toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0))
}

function sharedWords(cells: readonly string[], words: ReadonlySet<string>): Set<string> | undefined {
  let shared: Set<string> | undefined
  for (const word of wordsIn(cells.join(' '))) if (words.has(word)) (shared ??= new Set()).add(word)
  return shared
}

export function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]{2,60}/gu) ?? []
}

const mostExtremes = 4

/** The first rows that hold the least and the most of columns of amounts. */
function extremeRows({ facts }: TableWorth): readonly number[] {
  return facts
    .filter(isSummable)
    .slice(0, mostExtremes)
    .flatMap(({ numbers = [] }) => {
      const [least, most] = extremes(numbers.filter((value) => value !== undefined))
      return [numbers.indexOf(most), numbers.indexOf(least)]
    })
}

/** All rows in an order of which every beginning lies evenly: halves, quarters, eighths. */
function* evenly(size: number): Generator<number> {
  for (let parts = 2; parts <= 2 * size; parts *= 2)
    for (let part = 1; part < parts; part += 2) {
      const row = Math.floor((part * size) / parts)
      if (row < size) yield row
    }
}
