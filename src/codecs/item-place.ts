import type { JsonNode, JsonTree } from '../core/index.ts'
import { member } from '../core/index.ts'

/** What a dialect calls the members of a body that hold its parts. */
export interface BodyNames {
  readonly system: string
  readonly messages: string
}

export const usualNames: BodyNames = { system: 'system', messages: 'messages' }

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

/** Reads places such as `t0`, `s0`, `m3`, `m3.b1`, `m3.b0.p1`, `m3.c0`, `m3.reasoning_content` and `m3.w`. */
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
export function nodeAt(tree: JsonTree, place: string, names?: BodyNames): JsonNode | undefined {
  const path = parsePlace(place)
  return path === undefined ? undefined : nodeOfPath(tree, path, names)
}

export function nodeOfPath(tree: JsonTree, path: ItemPath, names = usualNames): JsonNode | undefined {
  const top = { t: 'tools', s: names.system, m: names.messages }[path.root]
  const container = member(tree, tree.root, top)
  if (container?.kind === 'string') return container
  const node = container?.children[path.index]
  if (path.root !== 'm' || path.isWhole === true) return node
  if (path.name !== undefined) return member(tree, node, path.name)
  if (path.list === undefined) return contentOf(tree, node)
  const list = path.list === 'b' ? contentOf(tree, node) : member(tree, node, 'tool_calls')
  const block = list?.children[path.listIndex ?? 0]
  return path.part === undefined ? block : member(tree, block, 'content')?.children[path.part]
}

/** What a message says, or what a tool has put out. */
export function contentOf(tree: JsonTree, message: JsonNode | undefined): JsonNode | undefined {
  return member(tree, message, 'content') ?? member(tree, message, 'output')
}

/** The messages of a body, of which there is one where the words of the user stand alone. */
export function messageNodes(tree: JsonTree, { messages }: BodyNames): readonly JsonNode[] {
  const list = member(tree, tree.root, messages)
  return list?.kind === 'string' ? [list] : (list?.children ?? [])
}
