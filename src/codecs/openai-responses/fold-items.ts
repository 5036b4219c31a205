import type { ModelReply } from '../../core/index.ts'
import { scanJson } from '../../core/index.ts'
import { ofChain } from '../chain.ts'
import { withMembers } from '../splice.ts'
import { wordsOf } from './reply.ts'

/** What an event tells of an item: the item, at its beginning or whole, or a piece of its text. */
export type ItemEvent = ItemTold | TextDelta

interface ItemTold {
  readonly at: number
  readonly raw: string
  readonly isDone: boolean
}

interface TextDelta {
  readonly at: number
  /** Of the part that it belongs to. */
  readonly part: number
  readonly text: string
}

type Said = Required<Pick<ModelReply, 'text' | 'toolCalls' | 'message'>>

/** What the items of one response say together. */
export const saidByItems = ofChain((events: readonly ItemEvent[]): Said => saidBy(foldItems(events)))

export function saidBy(items: string): Said {
  const tree = scanJson(items)
  return { ...wordsOf(tree, tree.root), message: items }
}

interface Item {
  raw: string
  isDone: boolean
  readonly texts: Map<number, string>
}

/** The items that have come whole, and what has been said of those that have not. */
function foldItems(events: readonly ItemEvent[]): string {
  const byPlace = new Map<number, Item>()
  for (const event of events) {
    const item = byPlace.get(event.at)
    if (!('raw' in event)) item?.texts.set(event.part, (item.texts.get(event.part) ?? '') + event.text)
    else if (item === undefined) byPlace.set(event.at, { raw: event.raw, isDone: event.isDone, texts: new Map() })
    else if (event.isDone) Object.assign(item, { raw: event.raw, isDone: true })
  }
  const items = [...byPlace].toSorted(([a], [b]) => a - b).flatMap(([, item]) => rawItem(item))
  return `[${items.join(',')}]`
}

/** Of what has not come whole only words are worth keeping. */
function rawItem({ raw, isDone, texts }: Item): readonly string[] {
  if (isDone) return [raw]
  if (texts.size === 0) return []
  const parts = [...texts]
    .toSorted(([a], [b]) => a - b)
    .map(([, text]) => ({ type: 'output_text', text, annotations: [] }))
  return [withMembers(raw, [['content', JSON.stringify(parts)]])]
}
