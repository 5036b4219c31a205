import type { Item, Pack } from '../../core/index.ts'
import type { Original } from '../../stores/index.ts'
import { mediaOrders } from './media-shop.ts'
import type { MediaOrder, MediaShop } from './media-shop.ts'

/** What a pack shows of media. */
export interface Made {
  /** By item, as `data:` URLs. */
  readonly made?: ReadonlyMap<string, string>
  readonly missing: readonly MediaOrder[]
  /** What the store has to keep of it. */
  readonly originals: readonly Original[]
}

interface KnownMedia {
  readonly items: readonly Item[]
  /** Those whose originals are stored. */
  readonly handles: ReadonlySet<string>
}

const nothingMade: Made = { missing: [], originals: [] }

/** What a pack shows that has been made, and what has yet to be. */
export function madeOf(shop: MediaShop | undefined, { entries }: Pack, { items, handles }: KnownMedia): Made {
  const orders = shop === undefined ? [] : mediaOrders(entries, items)
  if (orders.length === 0) return nothingMade
  const found = orders.map((order) => ({ order, url: shop?.made(order.name) }))
  const originals = found.flatMap(({ order: { name }, url }): Original[] =>
    url === undefined || handles.has(name) ? [] : [{ handle: name, text: url, kind: 'media' }],
  )
  return {
    made: new Map(found.flatMap(({ order, url }) => (url === undefined ? [] : [[order.itemId, url] as const]))),
    missing: found.flatMap(({ order, url }) => (url === undefined ? [order] : [])),
    originals: [...new Map(originals.map((original) => [original.handle, original])).values()],
  }
}
