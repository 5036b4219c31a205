import { scanJson } from '../core/index.ts'
import type { WireExchange, Item, JsonTree, Places, TextSource } from '../core/index.ts'
import type { TakenNames } from './item-names.ts'
import type { MessageRecord, PartRecord, ToolRecord } from './named-parts.ts'

/** What was read of a body. */
export interface DecodedState {
  readonly tree: JsonTree
  readonly tools: { readonly raw: string; readonly records: readonly ToolRecord[] }
  readonly system: { readonly raw: string; readonly record: PartRecord } | undefined
  readonly messages: readonly MessageRecord[]
  /** Of all parts, in wire order. */
  readonly items: readonly Item[]
  /** The names of messages and of what stands in them. */
  readonly names: TakenNames
}

/**
 * What was read stays with the places of a wire, which copies of it share. A member that nobody lists, because values of a
 * WeakMap outlive young-generation collections: measured, pauses a hundred times as long.
 */
const decoded = Symbol('prehend.decoded')

interface DecodedPlaces extends Places {
  readonly [decoded]?: DecodedState
}

export function stateOf({ wire }: WireExchange): DecodedState | undefined {
  const places: DecodedPlaces | undefined = wire.places
  return places?.[decoded]
}

export function placesWith(items: number, state: DecodedState): Places {
  return Object.defineProperty({ items }, decoded, { value: state, enumerable: false })
}

/** The body of an exchange, to be read without putting together what it shares with the one before it. */
export function bodyOf(exchange: WireExchange): TextSource {
  return currentState(exchange)?.tree.text ?? exchange.wire.body
}

/** The scanned body of an exchange; scanned again if the exchange was not made by `decode`. */
export function treeOf(exchange: WireExchange): JsonTree {
  return currentState(exchange)?.tree ?? scanJson(exchange.wire.body)
}

/** What was read of the body that an exchange has now. */
export function currentState(exchange: WireExchange): DecodedState | undefined {
  const state = stateOf(exchange)
  return state?.tree.text.toString() === exchange.wire.body ? state : undefined
}
