/** A table of texts; numbers stand to the right. */
export function table(columns, rows) {
  const widths = columns.map(({ name, title }) => Math.max(title.length, ...rows.map((row) => String(row[name]).length)))
  const line = (cells) => cells.join('  ').trimEnd()
  const cell = (value, at) => (typeof value === 'number' ? String(value).padStart(widths[at]) : String(value).padEnd(widths[at]))
  const head = line(columns.map(({ title }, at) => title.padEnd(widths[at])))
  return [head, ...rows.map((row) => line(columns.map(({ name }, at) => cell(row[name], at))))].join('\n')
}
