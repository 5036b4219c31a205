export function writeCsv(rows, { separator = ',' } = {}) {
  return rows.map((row) => row.map((field) => written(field, separator)).join(separator)).join('\n')
}

function written(field, separator) {
  const text = String(field)
  return text.includes(separator) ? `"${text.replace('"', '""')}"` : text
}
