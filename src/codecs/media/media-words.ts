import type { JsonNode, JsonTree } from '../../core/index.ts'
import { keyAt, member } from '../../core/index.ts'
import type { ShownMedia } from '../request-writer.ts'
import type { Edit } from '../splice.ts'
import { appendChild, removeChildren } from '../splice.ts'

/** How a dialect writes words in the place of a picture, a recording or a file. */
export interface MediaWords {
  /** The `type` of a block of words. */
  readonly type: string
  /** Members that both kinds of block may have. */
  readonly kept: ReadonlySet<string>
}

/** The edits that make a block of words of one of media; what marks the end of a cached prefix stays. */
function blockAsWords(
  tree: JsonTree,
  block: JsonNode | undefined,
  { type, kept, text }: MediaWords & { readonly text: string },
): readonly Edit[] | undefined {
  const typeNode = member(tree, block, 'type')
  if (block?.kind !== 'object' || typeNode === undefined) return undefined
  const isRemoved = (index: number): boolean => {
    const name = keyAt(tree, block, index)
    return name !== 'type' && !kept.has(name)
  }
  return [
    { start: typeNode.start, end: typeNode.end, text: JSON.stringify(type) },
    ...removeChildren(block, isRemoved),
    appendChild(block, `"text":${JSON.stringify(text)}`),
  ]
}

/** The words beside what was made of a block of media, in a block of their own behind it, after the edits that put its bytes there. */
export function wordsBehind(
  block: JsonNode | undefined,
  words: Readonly<Record<string, string>>,
  bytes: readonly Edit[] | undefined,
): readonly Edit[] | undefined {
  if (block === undefined || bytes === undefined) return undefined
  return [...bytes, { start: block.end, end: block.end, text: `,${JSON.stringify(words)}` }]
}

interface MediaWriting {
  readonly words: MediaWords
  /** The edits that put other bytes into a block; undefined where it has none. */
  bytes(tree: JsonTree, block: JsonNode, url: string): readonly Edit[] | undefined
}

/** The edits that show a block of media as words, or by what was made of it with words behind it. */
export function blockShown(
  tree: JsonTree,
  block: JsonNode | undefined,
  { text, made }: Pick<ShownMedia, 'text' | 'made'>,
  { words, bytes }: MediaWriting,
): readonly Edit[] | undefined {
  if (made === undefined || block === undefined) return blockAsWords(tree, block, { ...words, text })
  return wordsBehind(block, { type: words.type, text }, bytes(tree, block, made))
}

/** The edit that puts another text in the place of a string; undefined where either is missing. */
export function stringEdit(node: JsonNode | undefined, text: string | undefined): readonly Edit[] | undefined {
  return node?.kind === 'string' && text !== undefined
    ? [{ start: node.start, end: node.end, text: JSON.stringify(text) }]
    : undefined
}

/** Those before and those of every piece of media; undefined where one has none. */
export function allOf(
  edits: readonly Edit[],
  shown: readonly (readonly Edit[] | undefined)[],
): readonly Edit[] | undefined {
  const all = [...edits]
  for (const own of shown) {
    if (own === undefined) return undefined
    all.push(...own)
  }
  return all
}
