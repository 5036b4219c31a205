import type { WireExchange } from '../core/index.ts'
import { treeOf } from './decoded-state.ts'

/** Measured on Node 24, rounded up: a character of the body, of its items and of what is sent, a place in it, and all that is made of an item. */
const bytesPer = { char: 3, value: 120, item: 2000 } as const

/** About how much memory a decoded request holds while it is kept, in bytes. */
export function heldBytes(exchange: WireExchange): number {
  const { wire, conversation } = exchange
  const { values } = treeOf(exchange).root
  return wire.body.length * bytesPer.char + values * bytesPer.value + conversation.items.length * bytesPer.item
}
