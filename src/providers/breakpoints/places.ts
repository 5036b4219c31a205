import { promptPartOf } from '../../core/index.ts'
import type { WireExchange, Item, Pack, PackEntry, PromptPart } from '../../core/index.ts'

/** A block of a packed request at which a cached prefix may end. */
export interface Place {
  readonly itemId: string
  /** Tokens of the request up to and including the block. */
  readonly tokens: number
  readonly part: PromptPart
  readonly markable: boolean
  /** Nothing is left at this block that a later epoch could show smaller. */
  readonly settled: boolean
  /** Its message was written by the model. */
  readonly spoken: boolean
}

/** Tool results smaller than this are not worth thinning, so an epoch hardly touches them. */
const smallTokens = 50

/** The blocks of a pack in wire order. */
export function placesOf(exchange: WireExchange, pack: Pack): readonly Place[] {
  const entries = new Map(pack.entries.map((entry) => [entry.itemId, entry]))
  let tokens = 0
  return exchange.conversation.items.flatMap((item) => {
    const entry = entries.get(item.id)
    if (entry === undefined) return []
    tokens += entry.tokens
    const spoken = item.role === 'assistant'
    const place = { itemId: item.id, tokens, part: promptPartOf(item), spoken }
    return [{ ...place, markable: isMarkable(item, entry), settled: isSettled(item, entry) }]
  })
}

/** Thinking carries no marker, nor does an empty block; of unknown ones one cannot tell. */
function isMarkable(item: Item, entry: PackEntry): boolean {
  if (item.kind === 'media') return true
  return item.kind !== 'reasoning' && item.kind !== 'opaque' && entry.text !== ''
}

function isSettled(item: Item, entry: PackEntry): boolean {
  if (item.kind === 'media') return item.frozen === true || entry.text !== item.text
  return item.kind !== 'tool-result' || item.frozen === true || entry.text !== item.text || entry.tokens < smallTokens
}
