export function writeCsv(rows, { separator = ',' } = {}) {
  return rows.map((row) => `${writtenRow(row, separator)}\r\n`).join('')
}

function writtenRow(row, separator) {
  const fields = row.map((field) => written(String(field ?? ''), separator))
  return fields.length === 1 && fields[0] === '' ? '""' : fields.join(separator)
}

function written(text, separator) {
  const needsQuotes = text.includes(separator) || /["\r\n]|^ | $|^\uFEFF/.test(text)
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text
}
