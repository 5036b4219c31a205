import type { JsonNode, JsonTree, TextSource } from '../core/index.ts'
import { scanJson } from '../core/index.ts'
import { cellOf } from './column-layout.ts'
import { minifyJson } from './json-source.ts'
import { jsonSpan } from './kind-json.ts'
import type { DataTable, TableRow } from './data-table.ts'
import { lineStarts } from './fold-runs.ts'

const mostValues = 100_000
const mostDepth = 4

/** The longest list of records in a JSON text, as the table in which the column form writes it; undefined without one. */
export function readJsonTable(text: string): DataTable | undefined {
  const span = jsonSpan(text)
  const tree = span && scanned(text.slice(span.start, span.end))
  const list = tree && longestList(tree.root, mostDepth)
  if (span === undefined || tree === undefined || list === undefined) return undefined
  const keys = keysOf(tree, list)
  const rows = rowsOf({ text, tree, list, keys, from: span.start })
  const names = keys.map(cellOf)
  return {
    names,
    rows,
    before: `${text.slice(0, span.start + list.start)}[`,
    after: `\n]${text.slice(span.start + list.end)}`,
    header: (columns) => `(${columns.map((column) => names[column] ?? '').join(',')})`,
    row: (index, columns) => columns.map((column) => rows[index]?.cells[column] ?? '').join(','),
    said: (cell) => (cell.startsWith('"') ? unescaped(cell) : cell),
  }
}

function scanned(json: string): JsonTree | undefined {
  try {
    return scanJson(json, { mostValues })
  } catch {
    return undefined
  }
}

function longestList(node: JsonNode, depth: number): JsonNode | undefined {
  if (depth === 0 || (node.kind !== 'array' && node.kind !== 'object')) return undefined
  if (node.kind === 'array')
    return node.children.length > 0 &&
      node.children.every(({ kind, children }) => kind === 'object' && children.length > 0)
      ? node
      : undefined
  let best: JsonNode | undefined
  for (const child of node.children) {
    const list = longestList(child, depth - 1)
    if (list !== undefined && list.end - list.start > (best ? best.end - best.start : 0)) best = list
  }
  return best
}

/** In the order in which they first appear, as written. */
function keysOf({ text }: JsonTree, list: JsonNode): readonly string[] {
  const keys = new Set<string>()
  for (const record of list.children)
    for (let at = 0; at < record.children.length; at++) keys.add(keyOf(text, record, at))
  return [...keys]
}

function keyOf(text: TextSource, { keys }: JsonNode, at: number): string {
  return text.slice(keys[2 * at], keys[2 * at + 1])
}

interface Reading {
  readonly text: string
  readonly tree: JsonTree
  readonly list: JsonNode
  readonly keys: readonly string[]
  /** Where the JSON begins in the text. */
  readonly from: number
}

function rowsOf({ text, tree, list, keys, from }: Reading): readonly TableRow[] {
  const starts = lineStarts(text)
  const columns = new Map(keys.map((key, column) => [key, column]))
  let line = 0
  const lineAt = (place: number): number => {
    while (line + 1 < starts.length - 1 && (starts[line + 1] ?? 0) <= place) line++
    return line + 1
  }
  return list.children.map((record) => {
    const cells = keys.map(() => '')
    record.children.forEach((value, at) => {
      const column = columns.get(keyOf(tree.text, record, at))
      if (column !== undefined) cells[column] = cellOf(oneLine(tree.text.slice(value.start, value.end), value))
    })
    const first = lineAt(from + record.start)
    return { cells, first, last: lineAt(from + record.end - 1) }
  })
}

/** A value without the white space between its parts. */
function oneLine(raw: string, { kind }: JsonNode): string {
  return (kind === 'array' || kind === 'object') && /\s/.test(raw) ? (minifyJson(raw) ?? raw) : raw
}

function unescaped(literal: string): string {
  return String(JSON.parse(literal))
}
