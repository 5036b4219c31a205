import type { Item, Pack } from '../../core/index.ts'
import type { Write } from '../../stores/index.ts'
import { mediaOrders } from './media-shop.ts'
import type { MediaOrder, MediaShop } from './media-shop.ts'

/** What a pack shows of media. */
export interface Made {
  /** By item, as `data:` URLs. */
  readonly made?: ReadonlyMap<string, string>
  readonly missing: readonly MediaOrder[]
  /** What the store has to keep of it. */
  readonly writes: readonly MadeWrite[]
}

export type MadeWrite = Extract<Write, { readonly table: 'made-media' }>

interface KnownMedia {
  readonly items: readonly Item[]
  /** The names of those that are stored. */
  readonly stored: ReadonlySet<string>
}

const nothingMade: Made = { missing: [], writes: [] }

/** What a pack shows that has been made, and what has yet to be. */
export function madeOf(shop: MediaShop | undefined, { entries }: Pack, { items, stored }: KnownMedia): Made {
  const orders = shop === undefined ? [] : mediaOrders(entries, items)
  if (orders.length === 0) return nothingMade
  const found = orders.map((order) => ({ order, url: shop?.made(order.name) }))
  const writes = found.flatMap(({ order: { name: key }, url }): MadeWrite[] =>
    url === undefined || stored.has(key) ? [] : [{ table: 'made-media', key, value: url }],
  )
  return {
    made: new Map(found.flatMap(({ order, url }) => (url === undefined ? [] : [[order.itemId, url] as const]))),
    missing: found.flatMap(({ order, url }) => (url === undefined ? [order] : [])),
    writes: [...new Map(writes.map((write) => [write.key, write])).values()],
  }
}
