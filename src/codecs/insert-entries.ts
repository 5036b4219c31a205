import type { InsertionPart, Item } from '../core/index.ts'
import { messageNodes } from './body-shape.ts'
import { cannotEncode } from './cannot-encode.ts'
import type { MessageRecord } from './named-parts.ts'
import { parsePlace } from './item-place.ts'
import type { Insertion, ShownEntry, Showing } from './request-writer.ts'
import type { Edit } from './splice.ts'

const saysWords: ReadonlySet<Item['kind']> = new Set(['text', 'instruction', 'evidence', 'memory'])

/** Where entries without a place in the body go: after the message of what they follow, as soon as the protocol allows. */
export function insertionsOf(showing: Omit<Showing, 'insertions'>): readonly Insertion[] {
  const { items, placeAt, messages, list, entries, added } = showing
  const indexes = new Map(items.map((item, index) => [item.id, parsePlace(placeAt(index))]))
  const kept = messages.map(
    ({ message }) => message.itemIds.length === 0 || message.itemIds.some((id) => entries.has(id)),
  )
  const allowed = boundaries(showing, kept)
  const insertions: Insertion[] = []
  let after = 0
  for (const entry of list) {
    const path = indexes.get(entry.itemId)
    if (path !== undefined) {
      if (path.root === 'm') after = Math.max(after, path.index + 1)
      continue
    }
    const item = added.get(entry.itemId)
    const raw = rawMessage(showing, entry, item)
    after = firstAllowed(allowed, after)
    insertions.push({ itemId: entry.itemId, index: after, raw, item, text: entry.text })
  }
  return insertions
}

function rawMessage(
  { writer, exchange }: Pick<Showing, 'writer' | 'exchange'>,
  entry: ShownEntry,
  item: Item | undefined,
): string {
  const { itemId } = entry
  const kind = item?.kind ?? (entry.section === 'tools' ? 'tool-schema' : 'text')
  if (!saysWords.has(kind)) throw cannotEncode(`item ${itemId} cannot be inserted: ${reasons[kind] ?? kind}`, remedy)
  const cited = item?.citable === true && item.text === entry.text ? writer.cited?.(exchange, item) : undefined
  const raw = cited ?? writer.spoken(item?.role, entry.text)
  if (raw === undefined)
    throw cannotEncode(
      `item ${itemId} cannot be inserted: no message of ours speaks as ${item?.role ?? 'this'}`,
      remedy,
    )
  return raw
}

const remedy = 'Leave it out, or put it into the body.'

const reasons: { readonly [Kind in Item['kind']]?: string } = {
  'tool-call': 'a call without its message was never made',
  'tool-result': 'a result needs the call that it answers',
  'tool-schema': 'tools of ours are hidden tools of the view',
  'reasoning': 'only the model reasons',
  'media': 'its data stand in no body',
  'opaque': 'nobody knows its form',
}

/** Whether a message of ours may stand before each message of the body, and at its end. */
function boundaries({ messages, writer }: Omit<Showing, 'insertions'>, kept: readonly boolean[]): readonly boolean[] {
  const answeredAt = lastAnswers(messages)
  const nextRoles = rolesAfter(messages, kept)
  let waits = -1
  let role: string | undefined
  const allowed = [true]
  for (const [index, { items, message }] of messages.entries()) {
    for (const item of items) {
      if (item.kind === 'tool-call' && item.group !== undefined)
        waits = Math.max(waits, answeredAt.get(item.group) ?? -1)
    }
    if (kept[index] === true) role = message.role
    allowed.push(waits <= index && (role === undefined || writer.mayFollow(role, nextRoles[index])))
  }
  return allowed
}

/** The role of the next message that stays, after each. */
function rolesAfter(messages: readonly MessageRecord[], kept: readonly boolean[]): readonly (string | undefined)[] {
  let next: string | undefined
  const roles = messages.toReversed().map(({ message }, back) => {
    const after = next
    if (kept[messages.length - 1 - back] === true) next = message.role
    return after
  })
  return roles.toReversed()
}

/** The last message in which each group of a call and its results is answered. */
function lastAnswers(messages: readonly MessageRecord[]): ReadonlyMap<string, number> {
  const answers = new Map<string, number>()
  for (const [index, { items }] of messages.entries()) {
    for (const item of items) if (item.role === 'tool' && item.group !== undefined) answers.set(item.group, index)
  }
  return answers
}

function firstAllowed(allowed: readonly boolean[], from: number): number {
  const found = allowed.indexOf(true, from)
  return found < 0 ? allowed.length - 1 : found
}

/** The edits that put insertions into the body. They go with messages that stay, so that no removal takes them along. */
export function insertionEdits({ tree, shape, messages, entries, insertions }: Showing): readonly Edit[] {
  const nodes = messageNodes(tree, shape)
  const stays = ({ message }: MessageRecord): boolean =>
    message.itemIds.length === 0 || message.itemIds.some((id) => entries.has(id))
  return insertions.flatMap(({ index, raw }): Edit[] => {
    const before = messages.slice(0, index).findLastIndex(stays)
    const node = nodes[before]
    if (node !== undefined) return [{ start: node.end, end: node.end, text: `,${raw}` }]
    const next = nodes[messages.findIndex(stays)]
    return next === undefined ? [] : [{ start: next.start, end: next.start, text: `${raw},` }]
  })
}

/** Messages on either side of an insertion that are remembered: those of ours are not in the client's next body. */
const neighbours = 8

/** What puts insertions back into the client's next body. */
export function insertionParts({ messages, insertions }: Showing): readonly InsertionPart[] {
  const idsOf = (records: readonly MessageRecord[]): readonly string[] => records.map(({ message }) => message.id)
  return insertions.map(({ index, raw, item, text }) => ({
    kind: 'insertion',
    raw,
    text,
    ...(item && { item }),
    after: idsOf(messages.slice(Math.max(0, index - neighbours), index)).toReversed(),
    before: idsOf(messages.slice(index, index + neighbours)),
  }))
}
