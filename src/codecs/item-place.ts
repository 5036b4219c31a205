import type { JsonNode, JsonTree } from '../core/index.ts'
import { member } from '../core/index.ts'

/** What the text of a place says, see `parsePlace`. */
export interface ItemPath {
  readonly root: 't' | 's' | 'm'
  readonly index: number
  /** Content block or part (`b`), or element of `tool_calls` (`c`). */
  readonly list?: 'b' | 'c'
  readonly listIndex?: number
  /** Part of a tool result's content. */
  readonly part?: number
  /** A member of the message, such as `reasoning_content`. */
  readonly name?: string
}

const pattern = /^([tsm])(\d+)(?:\.(?:([bc])(\d+)(?:\.p(\d+))?|([a-z_]{2,})))?$/

/** Reads places such as `t0`, `s0`, `m3`, `m3.b1`, `m3.b0.p1`, `m3.c0` and `m3.reasoning_content`. */
export function parsePlace(place: string): ItemPath | undefined {
  const found = pattern.exec(place)
  if (found === null) return undefined
  const [, root, index, list, listIndex, part, name] = found
  return {
    root: root as ItemPath['root'],
    index: Number(index),
    ...(list === undefined ? {} : { list: list as 'b' | 'c', listIndex: Number(listIndex) }),
    ...(part === undefined ? {} : { part: Number(part) }),
    ...(name === undefined ? {} : { name }),
  }
}

/** The node at a place: a tool, a block, a part, a call, or the string that is a whole content. */
export function nodeAt(tree: JsonTree, place: string): JsonNode | undefined {
  const path = parsePlace(place)
  return path === undefined ? undefined : nodeOfPath(tree, path)
}

export function nodeOfPath(tree: JsonTree, path: ItemPath): JsonNode | undefined {
  const top = { t: 'tools', s: 'system', m: 'messages' }[path.root]
  const container = member(tree, tree.root, top)
  if (container?.kind === 'string') return container
  const node = container?.children[path.index]
  if (path.root !== 'm') return node
  if (path.name !== undefined) return member(tree, node, path.name)
  if (path.list === undefined) return member(tree, node, 'content')
  const list = member(tree, node, path.list === 'b' ? 'content' : 'tool_calls')
  const block = list?.children[path.listIndex ?? 0]
  return path.part === undefined ? block : member(tree, block, 'content')?.children[path.part]
}
