import type { WireExchange, Item, OverlayPart } from '../core/index.ts'
import { isInstruction } from '../core/index.ts'
import { isBriefing } from './compaction/briefing-item.ts'

/** An item of ours that stands in a client's conversation, by the place that it has there. */
type Standing = ReadonlyMap<string, Item>

/** The items that an overlay has put back, by the ids under which a codec has read them. */
export function standing({ conversation }: WireExchange, overlay: readonly OverlayPart[]): Standing {
  const found = new Map<string, Item>()
  for (const part of overlay) {
    if (part.kind !== 'insertion' || part.item === undefined) continue
    const place = conversation.items.findLast(({ id, text }) => text === part.text && !found.has(id))
    if (place) found.set(place.id, part.item)
  }
  return found
}

/** The conversation with those items as what they are, evidence of a source, and no words of the user. */
export function recognised(exchange: WireExchange, items: Standing): WireExchange {
  if (items.size === 0) return exchange
  const { conversation } = exchange
  const known = conversation.items.map((item) => {
    const own = items.get(item.id)
    return own ? { ...own, id: item.id } : item
  })
  return { ...exchange, conversation: { ...conversation, items: relinked(known, items) } }
}

/** What sources have contributed and no request before: it comes after all that was said, but for a briefing, with which all begins. */
export function withCollected(exchange: WireExchange, collected: readonly Item[], items: Standing): WireExchange {
  const there = new Set([...items.values()].map(({ id, text }) => `${id}\n${text}`))
  const fresh = collected.filter(({ id, text }) => !there.has(`${id}\n${text}`))
  if (fresh.length === 0) return exchange
  const { conversation } = exchange
  const all = [...conversation.items, ...fresh.filter((item) => !isBriefing(item))]
  const first = all.findIndex(({ role, kind }) => !isInstruction(role) && kind !== 'tool-schema')
  const begun = all.toSpliced(first === -1 ? all.length : first, 0, ...fresh.filter(isBriefing))
  return { ...exchange, conversation: { ...conversation, items: relinked(begun, items) } }
}

/** Links lead to items under the ids that they have here; what one was made of need not be in the conversation any more. */
function relinked(conversation: readonly Item[], items: Standing): readonly Item[] {
  if (conversation.every(({ links }) => links === undefined)) return conversation
  const there = new Set(conversation.map(({ id }) => id))
  const renamed = new Map(Array.from(items, ([place, { id }]) => [id, place]))
  return conversation.map((item) => {
    if (item.links === undefined) return item
    const { links, ...rest } = item
    const found = links.flatMap((link) => {
      const itemId = there.has(link.itemId) ? link.itemId : renamed.get(link.itemId)
      return itemId === undefined ? [] : [{ ...link, itemId }]
    })
    return found.length === 0 ? rest : { ...item, links: found }
  })
}
