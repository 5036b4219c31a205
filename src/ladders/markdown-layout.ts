import type { FlatTable } from './flat-table.ts'
import { tableJson } from './flat-table.ts'

/** A table as GitHub's Markdown has it; undefined where a cell holds what such a table cannot. */
export function encodeMarkdown({ keys, rows }: FlatTable): string | undefined {
  if ([keys, ...rows].some((cells) => cells.some((cell) => cell === '' || /[\n\r\\]|<br>/.test(cell)))) return undefined
  return [keys, keys.map(() => '---'), ...rows].map(line).join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** The compact JSON text of the table that `encodeMarkdown` was given; undefined where rows are not of one length. */
export function decodeMarkdown(text: string): string | undefined {
  const [keys = [], , ...rows] = text.split('\n').map(cellsOf)
  return rows.every(({ length }) => length === keys.length) ? tableJson({ keys, rows }) : undefined
}

/** No cell holds a backslash of its own. */
function cellsOf(row: string): readonly string[] {
  const inner = row.slice(2, -2)
  return inner.split(' | ').map((cell) => cell.replaceAll('\\|', '|'))
}
