/**
 * Parses CSV as RFC 4180 describes it: fields may be quoted, and a quoted field may hold separators, line breaks and
 * doubled quotes.
 *
 * @param {string} text
 * @param {{ separator?: string }} [options]
 * @returns {string[][]}
 */
export function parseCsv(text, { separator = ',' } = {}) {
  const rows = []
  let row = []
  let field = ''
  let quoted = false
  const endField = () => {
    row.push(field)
    field = ''
  }
  const endRow = () => {
    endField()
    rows.push(row)
    row = []
  }
  for (let position = 0; position < text.length; position += 1) {
    const character = text[position]
    if (quoted) {
      if (character === '"') quoted = false
      else field += character
    } else if (character === '"' && field === '') quoted = true
    else if (character === separator) endField()
    else if (character === '\n') endRow()
    else if (character !== '\r') field += character
  }
  if (field !== '' || row.length > 0) endRow()
  return rows
}

/**
 * The inverse of parseCsv; quotes only what needs it.
 *
 * @param {readonly (readonly (string | number)[])[]} rows
 * @param {{ separator?: string }} [options]
 */
export function stringifyCsv(rows, { separator = ',' } = {}) {
  return rows.map((row) => row.map((field) => quoteField(String(field), separator)).join(separator)).join('\n') + '\n'
}

function quoteField(field, separator) {
  const needsQuotes = field.includes(separator) || field.includes('"') || field.includes('\n')
  return needsQuotes ? `"${field.replaceAll('"', '""')}"` : field
}
