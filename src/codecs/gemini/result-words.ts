import type { JsonNode, JsonTree } from '../../core/index.ts'
import { keyAt, member, memberIndex } from '../../core/index.ts'

/** Members in which a result has its words, where there are others: the provider's own, and those that clients write. */
const wordMembers = ['output', 'error', 'result', 'content'] as const
/** Members beside the words that say nothing of their own. */
const besides: ReadonlySet<string> = new Set(['name'])

/**
 * The string that a result is in all it says; undefined where it is an object of several values, which is read as JSON.
 */
export function resultWords(tree: JsonTree, response: JsonNode): JsonNode | undefined {
  if (response.kind !== 'object') return undefined
  const [only, ...others] = response.children
  if (only?.kind === 'string' && others.length === 0) return only
  const name = wordMembers.find((known) => member(tree, response, known)?.kind === 'string')
  if (name === undefined) return undefined
  const at = memberIndex(tree, response, name)
  const isAll = response.children.every((_, index) => index === at || besides.has(keyAt(tree, response, index)))
  return isAll ? response.children[at] : undefined
}

/** The member under which the words of a result stand where they replace an object. */
export function wordMember(tree: JsonTree, response: JsonNode): 'output' | 'error' {
  return isFailed(tree, response) ? 'error' : 'output'
}

export function isFailed(tree: JsonTree, response: JsonNode | undefined): boolean {
  return member(tree, response, 'error') !== undefined && member(tree, response, 'output') === undefined
}
