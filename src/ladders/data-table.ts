/** A row of a table, and the lines (from 1, as its handle counts them) that it takes in the text. */
export interface TableRow {
  /** As written, one for each column; '' where the row has none. */
  readonly cells: readonly string[]
  readonly first: number
  readonly last: number
}

/** A text that is a table, or holds one with a few words around it. */
export interface DataTable {
  readonly names: readonly string[]
  readonly rows: readonly TableRow[]
  readonly before: string
  readonly after: string
  /** The line, or the lines, that name the chosen columns; as they came where all are chosen. */
  header(columns: readonly number[]): string
  row(index: number, columns: readonly number[]): string
  /** What a cell says. */
  said(cell: string): string
}
