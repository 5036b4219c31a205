import type { JsonTree } from '../../core/index.ts'
import { keyAt, member, scanJson, stringAt } from '../../core/index.ts'
import { removeChildren, splice, withMembers } from '../splice.ts'

/**
 * The same prompt, asked for with no output at all: it is read from the cache, which keeps it for its whole time again. The
 * provider takes that from no request that thinks with a budget, has an output format or must call a tool.
 */
export function refreshBody(body: string): string | undefined {
  const tree = scanJson(body)
  if (typeAt(tree, 'thinking') === 'enabled' || forced.has(typeAt(tree, 'tool_choice') ?? '')) return undefined
  const output = member(tree, tree.root, 'output_config')
  if (output && member(tree, output, 'format')) return undefined
  const whole = splice(
    body,
    removeChildren(tree.root, (index) => keyAt(tree, tree.root, index) === 'stream'),
  )
  return withMembers(whole, [['max_tokens', '0']])
}

const forced: ReadonlySet<string> = new Set(['any', 'tool'])

function typeAt(tree: JsonTree, name: string): string | undefined {
  return stringAt(tree, member(tree, tree.root, name), 'type')
}
