import type { JsonSource } from './json-source.ts'
import { compactJson, isJsonText, parseJsonSource } from './json-source.ts'

/*
 * Arrays of two and more objects with the same keys are written as a table:
 *
 *   {"total":2,"flights":[(id,origin,price,stops)
 *   HAT110,ATL,62,["LGA"]
 *   HAT132,LGA,,
 *   ]}
 *
 * A cell holds a JSON value; a string that cannot be taken for anything else stands without quotes; an empty cell is a key
 * that the object does not have. `[(` occurs nowhere in JSON outside strings, so the form cannot be confused.
 */

const minRows = 2

/** A JSON text with its uniform arrays as tables; undefined when it is no JSON or has no such array. */
export function encodeColumns(text: string): string | undefined {
  const node = parseJsonSource(text)
  if (node === undefined) return undefined
  const writer: Writer = { parts: [], tables: 0 }
  write(node, writer)
  return writer.tables === 0 ? undefined : writer.parts.join('')
}

interface Writer {
  readonly parts: string[]
  tables: number
}

function write(node: JsonSource, writer: Writer): void {
  if (node.type === 'scalar') {
    writer.parts.push(node.raw)
  } else if (node.type === 'object') {
    writer.parts.push('{')
    node.values.forEach((value, index) => {
      writer.parts.push(index > 0 ? ',' : '', node.keys[index] ?? '', ':')
      write(value, writer)
    })
    writer.parts.push('}')
  } else {
    writeArray(node.elements, writer)
  }
}

function writeArray(elements: readonly JsonSource[], writer: Writer): void {
  const keys = elements.length < minRows ? undefined : sharedKeys(elements)
  if (keys !== undefined) {
    writer.tables++
    writer.parts.push(`[(${keys.map(cellOf).join(',')})\n`)
    for (const element of elements) writer.parts.push(rowOf(element, keys), '\n')
    writer.parts.push(']')
    return
  }
  writer.parts.push('[')
  elements.forEach((element, index) => {
    if (index > 0) writer.parts.push(',')
    write(element, writer)
  })
  writer.parts.push(']')
}

/** Keys of all elements in one order, when all are objects whose keys follow it and at least half of the cells are filled. */
function sharedKeys(elements: readonly JsonSource[]): readonly string[] | undefined {
  let widest: readonly string[] = []
  let cells = 0
  for (const element of elements) {
    if (element.type !== 'object') return undefined
    if (element.keys.length > widest.length) widest = element.keys
    cells += element.keys.length
  }
  if (widest.length === 0 || cells * 2 < widest.length * elements.length) return undefined
  if (new Set(widest).size !== widest.length) return undefined
  return elements.every((element) => follows(element, widest)) ? widest : undefined
}

function follows(element: JsonSource, order: readonly string[]): boolean {
  if (element.type !== 'object') return false
  let next = 0
  for (const key of element.keys) {
    while (next < order.length && order[next] !== key) next++
    if (next === order.length) return false
    next++
  }
  return true
}

function rowOf(element: JsonSource, keys: readonly string[]): string {
  if (element.type !== 'object') return ''
  const { keys: own, values } = element
  let next = 0
  const cells = keys.map((key) => {
    if (own[next] !== key) return ''
    const value = values[next++]
    return value === undefined ? '' : cellOf(value.type === 'scalar' ? value.raw : compactJson(value))
  })
  return cells.join(',')
}

/** Strings that nobody can take for a number, a literal, a nested value, a missing cell or two cells. */
const bareForm =
  /^"(?!(?:true|false|null)"$)(?!(?!\d{4}-\d\d-\d\d"$)[-+.\d eE]*"$)(?![\s\]}[{(-])[^"\\,\n\r\u2028\u2029\s][^"\\,\n\r\u2028\u2029]*(?<!\s)"$/

/** A JSON value as it stands in a cell: strings that can be taken for nothing else without their quotes. */
export function cellOf(raw: string): string {
  return raw.length <= 400 && bareForm.test(raw) ? raw.slice(1, -1) : raw
}

/** The compact JSON text that `encodeColumns` was given, value for value; undefined when the text is not of that form. */
export function decodeColumns(text: string): string | undefined {
  const parts: string[] = []
  let at = 0
  for (;;) {
    const open = findTable(text, at)
    if (open === -1) break
    parts.push(text.slice(at, open))
    const table = readTable(text, open)
    if (table === undefined) return undefined
    parts.push(table.json)
    at = table.end
  }
  parts.push(text.slice(at))
  const json = parts.join('')
  return isJsonText(json) ? json : undefined
}

/** Position of the next `[(` outside strings. */
function findTable(text: string, from: number): number {
  let inString = false
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString && code === 92) at++
    else if (code === 34) inString = !inString
    else if (!inString && code === 91 && text.charCodeAt(at + 1) === 40) return at
  }
  return -1
}

interface Table {
  readonly json: string
  readonly end: number
}

function readTable(text: string, open: number): Table | undefined {
  let lineEnd = text.indexOf('\n', open)
  if (lineEnd === -1 || text[lineEnd - 1] !== ')') return undefined
  const keys = cellsOf(text.slice(open + 2, lineEnd - 1))
  const rows: string[] = []
  for (;;) {
    const start = lineEnd + 1
    if (text[start] === ']') return { json: `[${rows.join(',')}]`, end: start + 1 }
    lineEnd = text.indexOf('\n', start)
    if (lineEnd === -1) return undefined
    rows.push(recordOf(cellsOf(text.slice(start, lineEnd)), keys))
  }
}

function recordOf(cells: readonly string[], keys: readonly string[]): string {
  let members = ''
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] ?? ''
    if (cell !== '') members += `${members === '' ? '' : ','}${keys[index] ?? '""'}:${cell}`
  }
  return `{${members}}`
}

/** Cells of a row as JSON texts; '' where the key is missing. */
function cellsOf(row: string): string[] {
  if (!/["[{]/.test(row)) return row.split(',').map(jsonOf)
  const cells: string[] = []
  let start = 0
  let depth = 0
  let inString = false
  for (let at = 0; at <= row.length; at++) {
    const char = row[at]
    if (inString && char === '\\') at++
    else if (char === '"' && (inString || depth > 0 || at === start)) inString = !inString
    else if (inString) continue
    else if (at === start && (char === '[' || char === '{')) depth = 1
    else if (depth > 0 && (char === '[' || char === '{')) depth++
    else if (depth > 0 && (char === ']' || char === '}')) depth--
    else if (depth === 0 && (char === ',' || char === undefined)) {
      cells.push(jsonOf(row.slice(start, at)))
      start = at + 1
    }
  }
  return cells
}

const jsonCell = /^(?:["[{]|(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)$)/

function jsonOf(cell: string): string {
  return cell === '' || jsonCell.test(cell) ? cell : `"${cell}"`
}
