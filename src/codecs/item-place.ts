import type { JsonNode, JsonTree } from '../core/index.ts'
import { member } from '../core/index.ts'
import type { BodyShape } from './body-shape.ts'
import { memberUnder } from './body-shape.ts'

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
  /** All of the message. */
  readonly isWhole?: true
}

const pattern = /^([tsm])(\d+)(?:\.(?:([bc])(\d+)(?:\.p(\d+))?|([a-z_]{2,})|(w)))?$/

/** Reads places such as `t0`, `t0.b1`, `s0`, `m3`, `m3.b1`, `m3.b0.p1`, `m3.c0`, `m3.reasoning_content` and `m3.w`. */
export function parsePlace(place: string): ItemPath | undefined {
  const found = pattern.exec(place)
  if (found === null) return undefined
  const [, root, index, list, listIndex, part, name, whole] = found
  return {
    root: root as ItemPath['root'],
    index: Number(index),
    ...(list === undefined ? {} : { list: list as 'b' | 'c', listIndex: Number(listIndex) }),
    ...(part === undefined ? {} : { part: Number(part) }),
    ...(name === undefined ? {} : { name }),
    ...(whole === undefined ? {} : { isWhole: true }),
  }
}

/** The node at a place: a tool, a block, a part, a call, or the string that is a whole content. */
export function nodeAt(tree: JsonTree, shape: BodyShape, place: string): JsonNode | undefined {
  const path = parsePlace(place)
  return path === undefined ? undefined : nodeOfPath(tree, shape, path)
}

export function nodeOfPath(tree: JsonTree, shape: BodyShape, path: ItemPath): JsonNode | undefined {
  const container = containerOf(tree, shape, path.root)
  if (container?.kind === 'string') return container
  const node = container?.children[path.index]
  if (node === undefined || path.root === 's' || path.isWhole === true) return node
  if (path.root === 't') return path.list ? shape.toolList(tree, node)?.children[path.listIndex ?? 0] : node
  if (path.name !== undefined) return member(tree, node, path.name)
  if (path.list === undefined) return shape.content(tree, node)
  const list = path.list === 'b' ? shape.content(tree, node) : member(tree, node, 'tool_calls')
  const block = list?.children[path.listIndex ?? 0]
  return path.part === undefined || block === undefined ? block : shape.blockParts(tree, block)?.children[path.part]
}

function containerOf(tree: JsonTree, shape: BodyShape, root: ItemPath['root']): JsonNode | undefined {
  if (root !== 's') return member(tree, tree.root, root === 't' ? 'tools' : shape.messages)
  const system = memberUnder(tree, tree.root, shape.system)
  return system && shape.systemContent(tree, system)
}
