import type { JsonNode, JsonTree, TextSource } from '../core/index.ts'
import { PiecedText, PrehendError, memberIndex, scanJson, stringsOf } from '../core/index.ts'

/** Replaces the characters from `start` to `end`; an insertion where both are equal. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Puts edits in the order in which they apply; of edits at one place the first given comes first. */
export function sortEdits(edits: readonly Edit[]): readonly Edit[] {
  return edits.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** The text between two places with the (sorted, disjoint) edits that lie between them. */
export function splice(text: TextSource, edits: readonly Edit[], start = 0, end = text.length): string {
  let result = ''
  let at = start
  for (const edit of edits) {
    if (edit.start < start || edit.end > end) continue
    requireApart(edit, at)
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at, end)
}

/** A text with its (sorted, disjoint) edits, put together nowhere. */
export function pieced(text: TextSource, edits: readonly Edit[]): TextSource {
  const strings: string[] = []
  let at = 0
  for (const edit of edits) {
    requireApart(edit, at)
    strings.push(...stringsOf(text, at, edit.start), edit.text)
    at = edit.end
  }
  strings.push(...stringsOf(text, at))
  return new PiecedText(strings.filter((each) => each !== '').map((each) => ({ text: each, heldChars: each.length })))
}

function requireApart(edit: Edit, at: number): void {
  if (edit.start < at) throw new PrehendError('internal', 'two edits of a body overlap', { remedy: 'Report this.' })
}

/**
 * The edits that take children out of an array or object together with one comma each, whatever remains.
 * White space around what stays is left as it is.
 */
export function removeChildren(node: JsonNode, isRemoved: (index: number) => boolean): readonly Edit[] {
  const edits: Edit[] = []
  const startOf = (index: number): number =>
    (node.kind === 'object' ? node.keys[2 * index] : node.children[index]?.start) ?? node.end
  for (let index = 0; index < node.children.length; index += 1) {
    if (!isRemoved(index)) continue
    const first = index
    while (index + 1 < node.children.length && isRemoved(index + 1)) index += 1
    const end = node.children[index]?.end ?? node.end
    const before = node.children[first - 1]
    if (before !== undefined) edits.push({ start: before.end, end, text: '' })
    else edits.push({ start: startOf(0), end: index + 1 < node.children.length ? startOf(index + 1) : end, text: '' })
  }
  return edits
}

/** The edit that adds text after the last child of a container; `text` comes without a comma. */
export function appendChild(node: JsonNode, text: string): Edit {
  const last = node.children.at(-1)
  const at = last === undefined ? node.start + 1 : last.end
  return { start: at, end: at, text: last === undefined ? text : `,${text}` }
}

/** Members by name, with raw JSON values. */
export type RawMembers = readonly (readonly [name: string, value: string])[]

/** The JSON object with these members set: replaced in place where they are, else appended. */
export function withMembers(object: string, members: RawMembers): string {
  if (members.length === 0) return object
  const tree = scanJson(object)
  return splice(object, sortEdits(memberEdits(tree, tree.root, members)))
}

/** The edits that set members of an object. */
export function memberEdits(tree: JsonTree, object: JsonNode, members: RawMembers): readonly Edit[] {
  const placed = members.map(([name, text]) => ({ name, text, old: object.children[memberIndex(tree, object, name)] }))
  const added = placed.filter(({ old }) => old === undefined)
  const replaced = placed.flatMap(({ text, old }): Edit[] =>
    old === undefined ? [] : [{ start: old.start, end: old.end, text }],
  )
  const text = added.map((member) => `${JSON.stringify(member.name)}:${member.text}`).join(',')
  return added.length === 0 ? replaced : [...replaced, appendChild(object, text)]
}
