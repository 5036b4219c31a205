import type { JsonNode, JsonTree } from '../../core/index.ts'
import { memberIndex, present } from '../../core/index.ts'
import { nodeOfPath } from '../item-place.ts'
import { parseDataUrl } from '../media/media-data.ts'
import { stringEdit, wordsBehind } from '../media/media-words.ts'
import type { ShownMedia } from '../request-writer.ts'
import type { Edit } from '../splice.ts'
import { appendChild, removeChildren } from '../splice.ts'
import { either } from './members.ts'
import { geminiShape } from './shape.ts'

/**
 * A part of the user's becomes words. The parts of a result may be media only: theirs are taken out, and the words stand in the
 * response as a member `picture`, where what the tool has said stands.
 */
export function showMedia(
  tree: JsonTree,
  media: readonly ShownMedia[],
  edits: readonly Edit[],
): readonly Edit[] | undefined {
  const spoken = media.filter(({ place: { path } }) => path.part === undefined)
  let all: readonly Edit[] = [
    ...edits,
    ...spoken.flatMap(({ place: { node }, text, made }): readonly Edit[] =>
      made === undefined
        ? [{ start: node.start, end: node.end, text: JSON.stringify({ text }) }]
        : (wordsBehind(node, { text }, mediaBytes(tree, node, made)) ?? []),
    ),
  ]
  for (const [result, parts] of byResult(tree, media)) {
    const own = inResult(tree, result, { parts, edits: all })
    if (own === undefined) return undefined
    all = own
  }
  return all
}

/** Other bytes in the place of those of an inline part. */
export function mediaBytes(tree: JsonTree, part: JsonNode, url: string): readonly Edit[] | undefined {
  const inline = either(tree, part, 'inlineData')
  const bytes = parseDataUrl(url)
  const data = bytes && stringEdit(present(tree, inline, 'data'), bytes.data)
  const mimeType = bytes && stringEdit(inline && either(tree, inline, 'mimeType'), bytes.mimeType)
  return data && mimeType && [...data, ...mimeType]
}

interface ResultPart {
  readonly index: number
  readonly text: string
  /** What was made of it stays in its place. */
  readonly bytes: readonly Edit[] | undefined
}

function byResult(tree: JsonTree, media: readonly ShownMedia[]): ReadonlyMap<JsonNode, readonly ResultPart[]> {
  const found = new Map<JsonNode, readonly ResultPart[]>()
  for (const { place, text, made } of media) {
    const { part: index, ...path } = place.path
    const block = index === undefined ? undefined : nodeOfPath(tree, geminiShape, path)
    const result = either(tree, block, 'functionResponse')
    if (index === undefined || result === undefined) continue
    const bytes = made === undefined ? undefined : mediaBytes(tree, place.node, made)
    found.set(result, [...(found.get(result) ?? []), { index, text, bytes }])
  }
  return found
}

interface InResult {
  readonly parts: readonly ResultPart[]
  readonly edits: readonly Edit[]
}

function inResult(tree: JsonTree, result: JsonNode, { parts, edits }: InResult): readonly Edit[] | undefined {
  const list = present(tree, result, 'parts')
  if (list === undefined) return undefined
  const gone = new Set(parts.filter(({ bytes }) => bytes === undefined).map(({ index }) => index))
  const isEmpty = gone.size === list.children.length
  const taken = isEmpty
    ? removeChildren(result, (index) => result.children[index] === list)
    : removeChildren(list, (index) => gone.has(index))
  const removed = [...taken, ...parts.flatMap(({ bytes = [] }) => bytes)]
  const response = present(tree, result, 'response')
  const names = freeNames(tree, response, parts.length)
  const members = parts.map(({ text }, at) => `${JSON.stringify(names[at])}:${JSON.stringify(text)}`).join(',')
  if (response === undefined) return [...edits, ...removed, appendChild(result, `"response":{${members}}`)]
  const whole = edits.findIndex(({ start, end }) => start === response.start && end === response.end)
  if (whole === -1) return [...edits, ...removed, appendChild(response, members)]
  // The response is written anew, as an object with one member.
  const rewritten = edits.map((edit, at) =>
    at === whole ? { ...edit, text: `${edit.text.slice(0, -1)},${members}}` } : edit,
  )
  return [...rewritten, ...removed]
}

/** Names that the response does not have: `picture`, `picture_2`, … */
function freeNames(tree: JsonTree, response: JsonNode | undefined, count: number): readonly string[] {
  const names: string[] = []
  for (let number = 1; names.length < count; number += 1) {
    const name = number === 1 ? 'picture' : `picture_${number}`
    if (response === undefined || memberIndex(tree, response, name) < 0) names.push(name)
  }
  return names
}
