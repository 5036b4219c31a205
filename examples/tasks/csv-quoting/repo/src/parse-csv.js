export function parseCsv(text, { separator = ',' } = {}) {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(separator).map(unquoted))
}

function unquoted(field) {
  return field.startsWith('"') && field.endsWith('"') ? field.slice(1, -1).replace('""', '"') : field
}
