import type { JsonSource } from './json-source.ts'

/** Rows of one and the same keys, all cells scalars. */
export interface FlatTable {
  readonly keys: readonly string[]
  /** What stands in each cell, without quotes and escapes. */
  readonly rows: readonly (readonly string[])[]
}

const literalForm = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)$/
/** What a reader could take for a number, a literal or nothing at all, and could not tell from it without quotes. */
const doubtful = /^(?:(?!\d{4}-\d\d-\d\d$)[-+.\d][-+.\d eE]*|true|false|null|)$/i

/**
 * A JSON array of two and more flat objects as a table; undefined for everything else, and where a cell without its quotes would lose its type or
 * be taken for an empty one.
 */
export function flatTable(node: JsonSource): FlatTable | undefined {
  if (node.type !== 'array' || node.elements.length < 2) return undefined
  const [first] = node.elements
  if (first?.type !== 'object' || first.keys.length === 0) return undefined
  const keys = plain(first.keys)
  if (keys === undefined || new Set(keys).size !== keys.length) return undefined
  const rows: (readonly string[])[] = []
  for (const element of node.elements) {
    if (element.type !== 'object' || element.keys.length !== keys.length) return undefined
    if (!element.keys.every((key, at) => key === first.keys[at])) return undefined
    const cells = element.values.map((value) => (value.type === 'scalar' ? value.raw : ''))
    const row = plain(cells)
    if (row === undefined) return undefined
    rows.push(row)
  }
  return { keys, rows }
}

function plain(cells: readonly string[]): readonly string[] | undefined {
  const out: string[] = []
  for (const raw of cells) {
    const cell = raw.startsWith('"') ? textOf(raw) : literalForm.test(raw) ? raw : undefined
    if (cell === undefined) return undefined
    out.push(cell)
  }
  return out
}

function textOf(raw: string): string | undefined {
  const text = JSON.parse(raw) as string
  return text === text.trim() && text.length <= mostChars && !doubtful.test(text) ? text : undefined
}

const mostChars = 400

/** The table as JSON without white space: what can be a number or a literal is one. */
export function tableJson({ keys, rows }: FlatTable): string {
  const names = keys.map((key) => JSON.stringify(key))
  const written = rows.map((row) => {
    const members = row.map(
      (cell, at) => `${names[at] ?? '""'}:${literalForm.test(cell) ? cell : JSON.stringify(cell)}`,
    )
    return `{${members.join(',')}}`
  })
  return `[${written.join(',')}]`
}
