import type { JsonValue } from './json.ts'
import { apart } from './pieced-text.ts'
import type { TextSource } from './pieced-text.ts'
import type { JsonNode, JsonTree } from './scan-json.ts'

/** The text of a node as it stands in the body, in memory of its own (a plain slice would keep the whole body alive). */
export function rawText(tree: JsonTree, node: JsonNode): string {
  return apart(tree.text.slice(node.start, node.end))
}

export function decodeValue(tree: JsonTree, node: JsonNode): JsonValue {
  // Whatever JSON.parse returns is a JsonValue.
  return JSON.parse(tree.text.slice(node.start, node.end)) as JsonValue
}

/** Only for nodes of kind `string`. */
export function decodeString(tree: JsonTree, node: JsonNode): string {
  const written = tree.text.slice(node.start + 1, node.end - 1)
  return written.includes('\\') ? String(decodeValue(tree, node)) : apart(written)
}

/** The index of a member among the object's children; of duplicate keys the last one, as JSON.parse has it; else -1. */
export function memberIndex(tree: JsonTree, node: JsonNode | undefined, name: string): number {
  if (node?.kind !== 'object') return -1
  for (let index = node.children.length - 1; index >= 0; index -= 1) {
    if (keyIs(tree.text, node, index, name)) return index
  }
  return -1
}

export function member(tree: JsonTree, node: JsonNode | undefined, name: string): JsonNode | undefined {
  const index = memberIndex(tree, node, name)
  return index < 0 ? undefined : node?.children[index]
}

/** A member that is there and not null. */
export function present(tree: JsonTree, node: JsonNode | undefined, name: string): JsonNode | undefined {
  const found = member(tree, node, name)
  return found === undefined || isNull(tree, found) ? undefined : found
}

export function keyAt(tree: JsonTree, node: JsonNode, index: number): string {
  return String(JSON.parse(tree.text.slice(node.keys[2 * index], node.keys[2 * index + 1])))
}

export function isNull(tree: JsonTree, node: JsonNode): boolean {
  return node.kind === 'literal' && tree.text.charCodeAt(node.start) === 0x6e
}

export function isTrue(tree: JsonTree, node: JsonNode | undefined): boolean {
  return node?.kind === 'literal' && tree.text.charCodeAt(node.start) === 0x74
}

/** The string at a member, or undefined when it is absent or something else. */
export function stringAt(tree: JsonTree, node: JsonNode | undefined, name: string): string | undefined {
  const found = member(tree, node, name)
  return found?.kind === 'string' ? decodeString(tree, found) : undefined
}

function keyIs(text: TextSource, node: JsonNode, index: number, name: string): boolean {
  const start = (node.keys[2 * index] ?? 0) + 1
  const length = (node.keys[2 * index + 1] ?? 0) - 1 - start
  if (length === name.length) return text.startsWith(name, start)
  if (length < name.length) return false
  const raw = text.slice(start, start + length)
  return raw.includes('\\') && JSON.parse(`"${raw}"`) === name
}
