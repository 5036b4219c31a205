import type { JsonNode, JsonTree } from '../../core/index.ts'
import { member, memberIndex } from '../../core/index.ts'
import type { HiddenToolNames } from '../codec.ts'
import type { SseEvent } from '../sse.ts'
import type { Edit, RawMembers } from '../splice.ts'
import { memberEdits, removeChildren, sortEdits, splice } from '../splice.ts'
import { callIn } from './call-ids.ts'
import { isEmptyText } from './fold-parts.ts'
import { firstCandidate, partsOf, treeOfEvent } from './reducer.ts'

/** What a chunk is to become. */
export interface ChunkChanges {
  /** Raw members of the chunk itself. */
  readonly identity?: RawMembers
  readonly dropsPart?: (tree: JsonTree, part: JsonNode) => boolean
  /** Its reason for an end goes to the client later. */
  readonly dropsFinish?: boolean
}

export function isCallOf(tree: JsonTree, part: JsonNode, hiddenTools: HiddenToolNames): boolean {
  const call = callIn(tree, part)
  return call !== undefined && hiddenTools.has(call.name)
}

/** Whether the first candidate says anything in a chunk. */
export function saysSomething(event: SseEvent): boolean {
  const tree = treeOfEvent(event)
  const parts = tree === undefined ? [] : partsOf(tree, firstCandidate(tree, tree.root))
  return tree !== undefined && !parts.every((part) => isEmptyText(tree, part))
}

/** The chunk with changes spliced in; the event itself where there is nothing to change. */
export function changeChunk(event: SseEvent, changes: ChunkChanges): SseEvent {
  const tree = treeOfEvent(event)
  if (tree === undefined) return event
  const edits = chunkEdits(tree, changes)
  return edits.length === 0 ? event : { ...event, data: splice(event.data, sortEdits(edits)) }
}

export function chunkEdits(tree: JsonTree, { identity = [], dropsPart, dropsFinish }: ChunkChanges): readonly Edit[] {
  const candidate = firstCandidate(tree, tree.root)
  const parts = member(tree, member(tree, candidate, 'content'), 'parts')
  const isDropped = (index: number): boolean => {
    const part = parts?.children[index]
    return part !== undefined && dropsPart?.(tree, part) === true
  }
  const finish = new Set(['finishReason', 'finishMessage'].map((name) => memberIndex(tree, candidate, name)))
  return [
    ...memberEdits(tree, tree.root, identity),
    ...(parts?.kind === 'array' ? removeChildren(parts, isDropped) : []),
    ...(dropsFinish === true && candidate ? removeChildren(candidate, (index) => finish.has(index)) : []),
  ]
}
