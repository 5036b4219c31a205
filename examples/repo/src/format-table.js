/**
 * @typedef {object} Column
 * @property {string} title
 * @property {'left' | 'right'} [align]
 */

/**
 * A plain text table; columns are as wide as their widest cell.
 *
 * @param {readonly Column[]} columns
 * @param {readonly (readonly string[])[]} rows
 * @param {{ footer?: readonly string[] }} [options]
 * @returns {string}
 */
export function formatTable(columns, rows, { footer } = {}) {
  const widths = columns.map((column, index) => {
    const cells = rows.map((row) => row[index] ?? '')
    return Math.max(column.title.length, ...cells.map((cell) => cell.length))
  })
  const line = (cells) =>
    columns
      .map(({ align = 'left' }, index) => pad(cells[index] ?? '', widths[index], align))
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '-'.repeat(width)).join('  ').trimEnd()
  const body = [line(columns.map((column) => column.title)), rule, ...rows.map(line)]
  if (footer !== undefined) body.push(rule, line(footer))
  return `${body.join('\n')}\n`
}

function pad(cell, width, align) {
  return align === 'right' ? cell.padStart(width) : cell.padEnd(width)
}
