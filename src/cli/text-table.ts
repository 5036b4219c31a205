import { printable } from './printable.ts'
import { hanging } from './wrap-text.ts'

type Row = readonly string[]

/** Columns of text, the first and those with titles in `words` to the left and the others to the right; no colour, no rules. */
export function textTable(head: Row, cells: readonly Row[], words: readonly string[] = []): string {
  const rows = cells.map((row) => row.map(printable))
  const widths = columnWidths(head, rows)
  const isLeft = head.map((title, column) => column === 0 || words.includes(title))
  const aligned = (cell: string, column: number): string =>
    isLeft[column] === true ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  const line = (row: Row): string => row.map(aligned).join(GAP).trimEnd()
  return [head, ...rows].map(line).join('\n')
}

const GAP = '  '

function columnWidths(head: Row, rows: readonly Row[]): readonly number[] {
  return head.map((title, column) => rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), title.length))
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + GAP.length + width, -GAP.length)
}

/** A table that is too wide becomes several, one under the other, each of which begins with the first column. */
export function stackedTable(head: Row, rows: readonly Row[], columns = Number.POSITIVE_INFINITY): string {
  const widths = columnWidths(head, rows)
  const blocks: number[][] = [[0]]
  for (let column = 1; column < head.length; column += 1) {
    const last = blocks.at(-1) ?? []
    const wider = [...last, column]
    const fits = lineWidth(wider.map((index) => widths[index] ?? 0)) <= columns
    if (fits || last.length === 1) blocks[blocks.length - 1] = wider
    else blocks.push([0, column])
  }
  return blocks
    .map((block) =>
      textTable(
        only(head, block),
        rows.map((row) => only(row, block)),
      ),
    )
    .join('\n\n')
}

export interface Fit {
  /** What a line may hold; any number of characters by default. */
  readonly columns?: number | undefined
  /** Titles of columns that may be missed, the first of them first. */
  readonly drop: readonly string[]
  /** Titles of columns that hold words. */
  readonly words?: readonly string[]
}

/**
 * A table that is too wide says once what is the same in every row, and then leaves out columns until it fits; what was left
 * out is named.
 */
export function fittedTable(
  head: Row,
  rows: readonly Row[],
  { columns = Number.POSITIVE_INFINITY, drop, words = [] }: Fit,
): string {
  const widths = columnWidths(head, rows)
  const width = (shown: readonly number[]): number => lineWidth(shown.map((index) => widths[index] ?? 0))
  let shown = head.map((_, index) => index)
  const same: string[] = []
  const dropped: string[] = []
  for (const title of drop) {
    const index = head.indexOf(title)
    const [value = ''] = new Set(rows.map((row) => row[index]))
    if (width(shown) <= columns || rows.length < 2 || rows.some((row) => row[index] !== value)) continue
    same.push(`${title} ${value}`)
    shown = shown.filter((other) => other !== index)
  }
  for (const title of drop) {
    const index = head.indexOf(title)
    if (width(shown) <= columns || !shown.includes(index)) continue
    dropped.push(title)
    shown = shown.filter((other) => other !== index)
  }
  const table = textTable(
    only(head, shown),
    rows.map((row) => only(row, shown)),
    words,
  )
  const notes = (about: string, titles: readonly string[]): readonly string[] =>
    titles.length === 0 ? [] : [hanging(`${about}: ${titles.join(', ')}`, columns)]
  return [...notes('the same for all', same), table, ...notes('no room for', dropped)].join('\n')
}

function only(row: Row, columns: readonly number[]): Row {
  return columns.map((column) => row[column] ?? '')
}
