import type { JsonNode, JsonTree } from '../core/index.ts'
import { jsonValue, scanJson, stringLiteralEnd } from '../core/index.ts'

/** A JSON value as slices of its source, so that numbers, escapes, key order and repeated keys survive as written. */
export type JsonSource =
  | { readonly type: 'scalar'; readonly raw: string }
  | { readonly type: 'array'; readonly elements: readonly JsonSource[] }
  | { readonly type: 'object'; readonly keys: readonly string[]; readonly values: readonly JsonSource[] }

/** Deeper values are left alone: those who write them out again go as deep as they are. */
const maxDepth = 200
const mostValues = 100_000

/** Reads a JSON text; undefined when it is no JSON, nested deeper than 200 or of more than 100,000 values. Keys keep their quotes and escapes. */
export function parseJsonSource(text: string): JsonSource | undefined {
  const tree = treeOf(text)
  return tree && sourceOf(tree, tree.root, 0)
}

function treeOf(text: string): JsonTree | undefined {
  try {
    return scanJson(text, { mostValues })
  } catch {
    return undefined
  }
}

function sourceOf(tree: JsonTree, node: JsonNode, depth: number): JsonSource | undefined {
  if (depth > maxDepth) return undefined
  const { text } = tree
  if (node.kind !== 'array' && node.kind !== 'object') return { type: 'scalar', raw: text.slice(node.start, node.end) }
  const values: JsonSource[] = []
  for (const child of node.children) {
    const value = sourceOf(tree, child, depth + 1)
    if (value === undefined) return undefined
    values.push(value)
  }
  if (node.kind === 'array') return { type: 'array', elements: values }
  return { type: 'object', keys: values.map((_, at) => text.slice(node.keys[2 * at], node.keys[2 * at + 1])), values }
}

/** The value without white space; every number, escape and key as it was written. */
export function compactJson(node: JsonSource): string {
  const parts: string[] = []
  writeCompact(node, parts)
  return parts.join('')
}

function writeCompact(node: JsonSource, parts: string[]): void {
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

/** A JSON text without white space between its values; undefined when it is no JSON. Linear; every value stays as it was written. */
export function minifyJson(text: string): string | undefined {
  return isJsonText(text) ? withoutSpaces(text) : undefined
}

/** Whether a text is JSON, as `JSON.parse` has it. */
export function isJsonText(text: string): boolean {
  return jsonValue(text) !== undefined
}

const quote = 34
const space = 32

/** Runs between white space are copied as they are. */
function withoutSpaces(json: string): string {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) at = stringLiteralEnd(json, at) - 1
    else if (code <= space) {
      if (at > start) parts.push(json.slice(start, at))
      start = at + 1
    }
  }
  return start === 0 ? json : `${parts.join('')}${json.slice(start)}`
}
