import type { CacheMarker, WireExchange, Item, KnownDialect } from '../core/index.ts'
import { anthropicReader } from './anthropic-messages/decode.ts'
import { wireParts } from './decode-request.ts'
import { geminiReader } from './gemini/decode.ts'
import { openaiReader } from './openai-chat/decode.ts'
import { responsesReader } from './openai-responses/decode.ts'
import type { RequestReader } from './request-reader.ts'

const readers: { readonly [Name in KnownDialect]: RequestReader } = {
  'openai-chat': openaiReader,
  'anthropic-messages': anthropicReader,
  'openai-responses': responsesReader,
  'gemini': geminiReader,
}

/** Where an item stands, in words such as `m3.b1`: tests speak of places, because names hold fingerprints. */
export function placeOfItem(exchange: WireExchange, itemId: string): string {
  const { items, placeAt } = wireParts(readerOf(exchange), exchange)
  return placeAt(items.findIndex(({ id }) => id === itemId))
}

export function itemIdAt(exchange: WireExchange, place: string): string {
  const { items, placeAt } = wireParts(readerOf(exchange), exchange)
  return items.find((_, index) => placeAt(index) === place)?.id ?? place
}

/** The texts that are told for places, and for all others the item's own. */
export function textAt(exchange: WireExchange, texts: Readonly<Record<string, string | undefined>>) {
  return (item: Item): string | undefined => {
    const place = placeOfItem(exchange, item.id)
    return Object.hasOwn(texts, place) ? texts[place] : item.text
  }
}

export function markedPlaces(exchange: WireExchange): readonly CacheMarker[] {
  return exchange.wire.markers.map((marker) => ({ ...marker, itemId: placeOfItem(exchange, marker.itemId) }))
}

function readerOf({ wire }: WireExchange): RequestReader {
  return readers[wire.dialect as KnownDialect]
}
