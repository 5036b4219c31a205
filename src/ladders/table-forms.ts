import { decodeCsv, encodeCsv } from './csv-layout.ts'
import { flatTable } from './flat-table.ts'
import { parseJsonSource } from './json-source.ts'
import { decodeMarkdown, encodeMarkdown } from './markdown-layout.ts'

export interface TableForms {
  readonly csv?: string
  readonly markdown?: string
}

/** A compact JSON text that is a table and nothing else in the forms that everybody knows, as far as they decode to the very same. */
export function tableForms(compact: string): TableForms {
  const node = parseJsonSource(compact)
  const table = node && flatTable(node)
  if (table === undefined) return {}
  const csv = encodeCsv(table)
  const markdown = encodeMarkdown(table)
  return {
    ...(decodeCsv(csv) === compact && { csv }),
    ...(markdown !== undefined && decodeMarkdown(markdown) === compact && { markdown }),
  }
}
