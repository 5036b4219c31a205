/** A JSON value as slices of its source, so that numbers, escapes, key order and repeated keys survive as written. */
export type JsonNode =
  | { readonly type: 'scalar'; readonly raw: string }
  | { readonly type: 'array'; readonly elements: readonly JsonNode[] }
  | { readonly type: 'object'; readonly keys: readonly string[]; readonly values: readonly JsonNode[] }

const maxDepth = 200
const literalForm = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const escapeForm = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

interface Cursor {
  readonly text: string
  at: number
}

/** Reads a JSON text; undefined when it is no JSON or nested deeper than 200. Keys keep their quotes and escapes. */
export function parseJsonNodes(text: string): JsonNode | undefined {
  const cursor: Cursor = { text, at: 0 }
  const node = readValue(cursor, 0)
  skipSpace(cursor)
  return node !== undefined && cursor.at === text.length ? node : undefined
}

function skipSpace(cursor: Cursor): void {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at)
    if (code !== 32 && code !== 10 && code !== 9 && code !== 13) return
    cursor.at++
  }
}

function readValue(cursor: Cursor, depth: number): JsonNode | undefined {
  skipSpace(cursor)
  const start = cursor.text[cursor.at]
  if (depth > maxDepth) return undefined
  if (start === '{') return readObject(cursor, depth)
  if (start === '[') return readArray(cursor, depth)
  const raw = start === '"' ? readString(cursor) : readForm(cursor, literalForm)
  return raw === undefined ? undefined : { type: 'scalar', raw }
}

/** A string with its quotes. By hand: one pattern over a megabyte-long string exhausts the pattern engine's stack. */
function readString(cursor: Cursor): string | undefined {
  const { text, at: start } = cursor
  if (text.charCodeAt(start) !== 34) return undefined
  cursor.at++
  for (;;) {
    const code = text.charCodeAt(cursor.at)
    if (code === 34) break
    if (code === 92) {
      if (readForm(cursor, escapeForm) === undefined) return undefined
    } else if (code >= 32) {
      cursor.at++
    } else {
      return undefined
    }
  }
  cursor.at++
  return text.slice(start, cursor.at)
}

function readForm(cursor: Cursor, form: RegExp): string | undefined {
  form.lastIndex = cursor.at
  const raw = form.exec(cursor.text)?.[0]
  if (raw !== undefined) cursor.at += raw.length
  return raw
}

/** Steps over `expected` after white space. */
function take(cursor: Cursor, expected: string): boolean {
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== expected) return false
  cursor.at++
  return true
}

function readArray(cursor: Cursor, depth: number): JsonNode | undefined {
  const elements: JsonNode[] = []
  cursor.at++
  if (take(cursor, ']')) return { type: 'array', elements }
  do {
    const element = readValue(cursor, depth + 1)
    if (element === undefined) return undefined
    elements.push(element)
  } while (take(cursor, ','))
  return take(cursor, ']') ? { type: 'array', elements } : undefined
}

function readObject(cursor: Cursor, depth: number): JsonNode | undefined {
  const keys: string[] = []
  const values: JsonNode[] = []
  cursor.at++
  if (take(cursor, '}')) return { type: 'object', keys, values }
  do {
    skipSpace(cursor)
    const key = readString(cursor)
    if (key === undefined || !take(cursor, ':')) return undefined
    const value = readValue(cursor, depth + 1)
    if (value === undefined) return undefined
    keys.push(key)
    values.push(value)
  } while (take(cursor, ','))
  return take(cursor, '}') ? { type: 'object', keys, values } : undefined
}

/** The value without white space; every number, escape and key as it was written. */
export function compactJson(node: JsonNode): string {
  const parts: string[] = []
  writeCompact(node, parts)
  return parts.join('')
}

function writeCompact(node: JsonNode, parts: string[]): void {
  if (node.type === 'scalar') {
    parts.push(node.raw)
  } else if (node.type === 'array') {
    parts.push('[')
    node.elements.forEach((element, index) => {
      if (index > 0) parts.push(',')
      writeCompact(element, parts)
    })
    parts.push(']')
  } else {
    parts.push('{')
    node.values.forEach((value, index) => {
      parts.push(index > 0 ? ',' : '', node.keys[index] ?? '', ':')
      writeCompact(value, parts)
    })
    parts.push('}')
  }
}

/** A JSON text without white space; undefined when it is no JSON. The value, as written, is unchanged. */
export function minifyJson(text: string): string | undefined {
  const node = parseJsonNodes(text)
  return node === undefined ? undefined : compactJson(node)
}
