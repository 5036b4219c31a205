import type { HiddenTurn, HiddenTurnPart, InsertionPart, JsonNode, JsonTree, OverlayPart } from '../core/index.ts'
import { scanJson } from '../core/index.ts'
import type { BodyShape } from './body-shape.ts'
import { messageNodes } from './body-shape.ts'
import type { Restored, Restoring } from './codec.ts'
import type { RequestDialect } from './request-writer.ts'
import { decodeRequest, wireParts } from './decode-request.ts'
import { treeOf } from './decoded-state.ts'
import { aroundWords } from './encode-request.ts'
import type { Edit } from './splice.ts'
import { splice } from './splice.ts'
import { endsWithWords, hasSameWords } from './same-words.ts'

/** What a client's assistant message says, by which the turn that it belongs to is told. */
export interface VisibleMessage {
  readonly text: string
  readonly calls: readonly VisibleCall[]
  /** Of what it says, where the dialect names that. */
  readonly ids?: readonly string[]
}

interface VisibleCall {
  readonly id: string
  readonly name: string
}

/** What differs between dialects when hidden turns are put back. */
export interface Restorer {
  visible(tree: JsonTree, reply: ReplyPlace): VisibleMessage
  /** The edits that put a turn back at one reply; undefined if they do not fit. */
  edits(tree: JsonTree, reply: ReplyPlace, turn: HiddenTurn): readonly Edit[] | undefined
}

/** Where a body has one reply of the assistant. */
export interface ReplyPlace {
  /** Its first message, and mostly its only one. */
  readonly message: JsonNode
  readonly messages: readonly JsonNode[]
  /** The one after its last. */
  readonly next: JsonNode | undefined
  /** All after its last. */
  rest(): readonly JsonNode[]
}

/** Puts an overlay back into a client's body. */
export function restoreOverlay(
  dialect: RequestDialect & { readonly restorer: Restorer },
  {
    body,
    overlay,
    received: given,
    belongs,
  }: Restoring & { readonly body: string; readonly overlay: readonly OverlayPart[] },
): Restored {
  if (overlay.length === 0) return { body, placed: [], lost: [] }
  const received = given?.wire.body === body ? given : undefined
  const tree = received === undefined ? scanJson(body) : treeOf(received)
  const turns = overlay.filter((part) => part.kind === 'hidden-turn')
  const { shape } = dialect.reader
  const { placed, edits, lost } = placeTurns({ restorer: dialect.restorer, tree, shape, belongs }, turns)
  const insertions = overlay.filter((part) => part.kind === 'insertion')
  if (insertions.length > 0) {
    const { messages } = wireParts(dialect.reader, received ?? decodeRequest(dialect.reader, { body }))
    const indexes = new Map(messages.map(({ message }, index) => [message.id, index]))
    for (const part of insertions) {
      const edit = gapEdit(messageNodes(tree, shape), indexes, part)
      if (edit === undefined) continue
      edits.push(edit)
      placed.add(part)
    }
  }
  const parts = overlay.filter((part) => placed.has(part))
  return {
    body: edits.length === 0 ? body : splice(tree.text, aroundWords({ tree, shape, writer: dialect.writer }, edits)),
    placed: parts,
    lost,
  }
}

/** An assistant's reply in a client's body. */
interface Candidate {
  /** Of its first message. */
  readonly index: number
  /** Among those of the assistant. */
  readonly ordinal: number
  readonly place: ReplyPlace
  readonly visible: VisibleMessage
}

interface Places {
  readonly restorer: Restorer
  readonly tree: JsonTree
  readonly shape: BodyShape
  readonly belongs: Restoring['belongs']
}

interface PlacedTurns {
  readonly placed: Set<OverlayPart>
  readonly edits: Edit[]
  readonly lost: HiddenTurnPart[]
}

/** Each turn goes to the message that makes its calls, else to the one that says the same, nearest to where it was. */
function placeTurns(places: Places, turns: readonly HiddenTurnPart[]): PlacedTurns {
  const { restorer, tree, belongs = () => true } = places
  const candidates = assistants(places)
  const taken = new Set<Candidate>()
  const placed = new Set<OverlayPart>()
  const edits: Edit[] = []
  const left: HiddenTurnPart[] = []
  for (const part of turns) {
    const { turn } = part
    const fits = (candidate: Candidate): boolean => !taken.has(candidate) && belongs(part, candidate.index)
    const found =
      nearest(candidates, turn, (candidate) => isNamed(candidate, turn) && fits(candidate)) ??
      nearest(candidates, turn, (candidate) => makesCalls(candidate, turn) && fits(candidate)) ??
      nearest(candidates, turn, (candidate) => saysSame(candidate, turn) && fits(candidate)) ??
      nearest(candidates, turn, (candidate) => saysItsEnd(candidate, turn) && fits(candidate))
    const made = found && restorer.edits(tree, found.place, turn)
    if (found === undefined || made === undefined) {
      left.push(part)
      continue
    }
    taken.add(found)
    placed.add(part)
    edits.push(...made)
  }
  const isLost = (part: HiddenTurnPart): boolean =>
    candidates.some((candidate) => !taken.has(candidate) && wasOf(candidate, part, belongs))
  return { placed, edits, lost: left.filter(isLost) }
}

/** The one that is nearest to where the turn was, of those that hold. */
function nearest(
  candidates: readonly Candidate[],
  turn: HiddenTurn,
  holds: (candidate: Candidate) => boolean,
): Candidate | undefined {
  let best: Candidate | undefined
  const distance = ({ ordinal }: Candidate): number => Math.abs(ordinal - turn.assistantIndex)
  for (const candidate of candidates) {
    if (best !== undefined && distance(candidate) >= distance(best)) continue
    if (holds(candidate)) best = candidate
  }
  return best
}

function isNamed({ visible: { ids = [] } }: Candidate, { visibleIds = [], rounds }: HiddenTurn): boolean {
  if (ids.length === 0) return false
  const known = [...visibleIds, ...rounds.flatMap((round) => round.visibleIds ?? [])]
  return ids.some((id) => known.includes(id))
}

/** Whatever has become of its words. */
function makesCalls({ visible: { calls } }: Candidate, { visibleCallIds }: HiddenTurn): boolean {
  return (
    calls.length > 0 &&
    calls.length === visibleCallIds.length &&
    calls.every(({ id }, index) => id === visibleCallIds[index])
  )
}

/** Whatever its calls are named by; some clients leave the words beside calls out. */
function saysSame({ visible: { text, calls } }: Candidate, turn: HiddenTurn): boolean {
  const { visibleCallIds, visibleCallNames, visibleText } = turn
  if (calls.length !== visibleCallIds.length) return false
  if (visibleCallNames && calls.some(({ name }, index) => name !== visibleCallNames[index])) return false
  return hasSameWords(text, visibleText) || (calls.length > 0 && text.trim() === '')
}

/** Some clients keep only the last of several texts. */
function saysItsEnd({ visible: { text, calls } }: Candidate, { visibleCallIds, visibleText }: HiddenTurn): boolean {
  return calls.length === visibleCallIds.length && text.trim() !== '' && endsWithWords(visibleText, text)
}

/** Whether a message may be that of a turn, though too little tells that it is. */
function wasOf(candidate: Candidate, part: HiddenTurnPart, belongs: NonNullable<Restoring['belongs']>): boolean {
  const { turn } = part
  if (isNamed(candidate, turn) || makesCalls(candidate, turn) || belongs(part, candidate.index)) return true
  return candidate.visible.text.trim() !== '' && saysSame(candidate, turn)
}

function assistants({ restorer, tree, shape }: Places): readonly Candidate[] {
  const messages = messageNodes(tree, shape)
  return replyRanges(tree, shape, messages).map(([start, end], ordinal) => {
    const own = messages.slice(start, end)
    const [message = tree.root] = own
    const place: ReplyPlace = { message, messages: own, next: messages[end], rest: () => messages.slice(end) }
    return { index: start, ordinal, place, visible: restorer.visible(tree, place) }
  })
}

/** From where to where each reply of the assistant goes. */
function replyRanges(
  tree: JsonTree,
  shape: BodyShape,
  messages: readonly JsonNode[],
): readonly (readonly [start: number, end: number])[] {
  const ranges: (readonly [number, number])[] = []
  for (const [index, message] of messages.entries()) {
    if (!shape.isOfReply(tree, message)) continue
    const [start, end] = ranges.at(-1) ?? [0, -1]
    if (shape.partsReplies && end === index) ranges[ranges.length - 1] = [start, index + 1]
    else ranges.push([index, index + 1])
  }
  return ranges
}

/** Insertions of one gap stand in the order in which they were made. */
function gapEdit(
  nodes: readonly JsonNode[],
  indexes: ReadonlyMap<string, number>,
  part: InsertionPart,
): Edit | undefined {
  const gap = gapOf(part, indexes)
  if (gap === undefined) return undefined
  const [before, next] = [nodes[gap - 1], nodes[gap]]
  if (before !== undefined) return { start: before.end, end: before.end, text: `,${part.raw}` }
  return next === undefined ? undefined : { start: next.start, end: next.start, text: `${part.raw},` }
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

/** How many replies of the assistant a client's body holds. */
export function countReplies(body: string, shape: BodyShape): number {
  const tree = scanJson(body)
  return replyRanges(tree, shape, messageNodes(tree, shape)).length
}
