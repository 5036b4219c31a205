import type { JsonNode } from '../core/index.ts'
import { decodeString } from '../core/index.ts'
import { placesIn } from './reply-body.ts'
import type { TextPlace } from './text-places.ts'

/** Every string value of a JSON text, in order; undefined where it is no JSON. Keys are not among them. */
export function stringPlaces(
  json: string,
): readonly Pick<TextPlace, 'start' | 'end' | 'text' | 'isQuoted'>[] | undefined {
  const tree = placesIn(json)
  if (tree === undefined) return undefined
  const strings = (node: JsonNode): JsonNode[] => (node.kind === 'string' ? [node] : node.children.flatMap(strings))
  return strings(tree.root).map((node) => ({
    start: node.start,
    end: node.end,
    text: decodeString(tree, node),
    isQuoted: true,
  }))
}
