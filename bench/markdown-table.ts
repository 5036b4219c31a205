/** Rows as a Markdown table, columns in the order of the first row. */
export function markdownTable(rows: readonly { readonly [column: string]: string }[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const body = rows.map((row) => line(columns.map((column) => row[column] ?? '')))
  return [line(columns), line(columns.map(() => '---')), ...body].join('\n')
}
