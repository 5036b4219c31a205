import type { Exchange, HiddenTurn, InsertionPart, JsonNode, JsonTree, OverlayPart } from '../core/index.ts'
import { member, scanJson, stringAt } from '../core/index.ts'
import type { MessageRecord } from './named-parts.ts'
import type { RequestReader } from './request-reader.ts'
import { decodeRequest, treeOf, wireParts } from './decode-request.ts'
import type { Edit } from './splice.ts'
import { sortEdits, splice } from './splice.ts'

/** What a client's assistant message says, by which the turn that it belongs to is told. */
export interface VisibleMessage {
  readonly text: string
  readonly callIds: readonly string[]
}

/** What differs between dialects when hidden turns are put back. */
export interface Restorer {
  visible(tree: JsonTree, message: JsonNode): VisibleMessage
  /** The edits that put a turn back at one message, `next` being the one after it; undefined if they do not fit. */
  edits(
    tree: JsonTree,
    place: { message: JsonNode; next: JsonNode | undefined },
    turn: HiddenTurn,
  ): readonly Edit[] | undefined
}

interface Candidate {
  readonly index: number
  readonly ordinal: number
  readonly message: JsonNode
  readonly visible: VisibleMessage
}

/** Puts an overlay back into a client's body. */
export function restoreOverlay(
  dialect: { readonly reader: RequestReader; readonly restorer: Restorer },
  { body, received }: { readonly body: string; readonly received: Exchange | undefined },
  overlay: readonly OverlayPart[],
): string {
  if (overlay.length === 0) return body
  const exchange = received?.wire.body === body ? received : undefined
  const tree = exchange === undefined ? scanJson(body) : treeOf(exchange)
  const turns = overlay.flatMap((part) => (part.kind === 'hidden-turn' ? [part.turn] : []))
  const insertions = overlay.flatMap((part) => (part.kind === 'insertion' ? [part] : []))
  const edits = [...turnEdits(dialect.restorer, tree, turns)]
  if (insertions.length > 0) {
    const { messages } = wireParts(dialect.reader, exchange ?? decodeRequest(dialect.reader, { body }))
    edits.push(...gapEdits(tree, messages, insertions))
  }
  return edits.length === 0 ? body : splice(body, sortEdits(edits))
}

/** Each turn goes to the message that says the same, nearest to where it was. */
function turnEdits(restorer: Restorer, tree: JsonTree, turns: readonly HiddenTurn[]): readonly Edit[] {
  const messages = member(tree, tree.root, 'messages')?.children ?? []
  const candidates = assistants(restorer, tree, messages)
  const taken = new Set<number>()
  const edits: Edit[] = []
  for (const turn of turns) {
    const found = nearest(candidates, turn, taken)
    if (found === undefined) continue
    const made = restorer.edits(tree, { message: found.message, next: messages[found.index + 1] }, turn)
    if (made === undefined) continue
    taken.add(found.index)
    edits.push(...made)
  }
  return edits
}

/** Insertions of one gap stand in the order in which they were made. */
function gapEdits(
  tree: JsonTree,
  messages: readonly MessageRecord[],
  insertions: readonly InsertionPart[],
): readonly Edit[] {
  const nodes = member(tree, tree.root, 'messages')?.children ?? []
  const indexes = new Map(messages.map(({ message }, index) => [message.id, index]))
  return insertions.flatMap((part): Edit[] => {
    const gap = gapOf(part, indexes)
    if (gap === undefined) return []
    const [before, next] = [nodes[gap - 1], nodes[gap]]
    if (before !== undefined) return [{ start: before.end, end: before.end, text: `,${part.raw}` }]
    return next === undefined ? [] : [{ start: next.start, end: next.start, text: `${part.raw},` }]
  })
}

/** The index before which an insertion belongs: told by its nearest neighbour that is there, the one before it first. */
function gapOf({ after, before }: InsertionPart, indexes: ReadonlyMap<string, number>): number | undefined {
  for (let distance = 0; distance < Math.max(after.length, before.length); distance += 1) {
    const left = indexes.get(after[distance] ?? '')
    if (left !== undefined) return left + 1
    const right = indexes.get(before[distance] ?? '')
    if (right !== undefined) return right
  }
  return undefined
}

/** How many assistant messages a client's body holds. */
export function countAssistants(body: string): number {
  const tree = scanJson(body)
  const messages = member(tree, tree.root, 'messages')?.children ?? []
  return messages.filter((message) => stringAt(tree, message, 'role') === 'assistant').length
}

function assistants(restorer: Restorer, tree: JsonTree, messages: readonly JsonNode[]): readonly Candidate[] {
  return messages
    .map((message, index) => ({ message, index }))
    .filter(({ message }) => stringAt(tree, message, 'role') === 'assistant')
    .map(({ message, index }, ordinal) => ({ message, index, ordinal, visible: restorer.visible(tree, message) }))
}

function nearest(
  candidates: readonly Candidate[],
  turn: HiddenTurn,
  taken: ReadonlySet<number>,
): Candidate | undefined {
  let best: Candidate | undefined
  const distance = (candidate: Candidate): number => Math.abs(candidate.ordinal - turn.assistantIndex)
  for (const candidate of candidates) {
    if (taken.has(candidate.index) || !says(candidate.visible, turn)) continue
    if (best === undefined || distance(candidate) < distance(best)) best = candidate
  }
  return best
}

/** Some clients take white space off the end. */
function says(visible: VisibleMessage, turn: HiddenTurn): boolean {
  return (
    visible.text.trimEnd() === turn.visibleText.trimEnd() &&
    visible.callIds.length === turn.visibleCallIds.length &&
    visible.callIds.every((id, index) => id === turn.visibleCallIds[index])
  )
}
