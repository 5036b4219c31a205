import { invalidInput, keyAt, scanJson } from '../core/index.ts'
import type { JsonNode, JsonTree } from '../core/index.ts'

/**
 * Throws `invalid-input`, which names the path, where an object of a JSON text has a member twice: `JSON.parse` takes the last one and drops
 * the others without a word. The text must be JSON.
 */
export function requireDistinctMembers(text: string, file: string): void {
  const tree = scanJson(text)
  const path = repeatedIn(tree, tree.root, '')
  if (path === undefined) return
  throw invalidInput(path, `stands twice in ${file}`, 'Keep one of them: the others would be dropped.')
}

function repeatedIn(tree: JsonTree, node: JsonNode, at: string): string | undefined {
  const seen = new Set<string>()
  for (const [index, child] of node.children.entries()) {
    const name = node.kind === 'object' ? keyAt(tree, node, index) : `[${index}]`
    const path = node.kind === 'object' && at !== '' ? `${at}.${name}` : `${at}${name}`
    if (seen.has(name)) return path
    seen.add(name)
    const deeper = repeatedIn(tree, child, path)
    if (deeper !== undefined) return deeper
  }
  return undefined
}
