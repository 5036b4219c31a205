import { csvReader } from './csv-reader.js'

export function parseCsv(text, { separator = ',' } = {}) {
  const reader = csvReader(separator)
  return [...reader.push(text), ...reader.end()]
}
