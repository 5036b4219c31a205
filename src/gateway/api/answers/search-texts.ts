import { itemNames } from '../../../inspect/index.ts'
import type { Store } from '../../../stores/index.ts'

export interface TextSearch {
  readonly tenant: string
  readonly words: string
  readonly limit: number
}

export interface FoundText {
  readonly session: string
  readonly requestId: string | null
  readonly itemId: string
  readonly name: string
  readonly kind: string
  readonly createdMs: number
  readonly excerpt: string
}

/** What the conversations of a tenant say, the best first, by the index of the store. */
export async function searchedTexts(store: Store, { tenant, words, limit }: TextSearch): Promise<FoundText[]> {
  const found = await store.read('turns').searchTenant(tenant, words, limit)
  const itemsOf = itemReader(store, tenant)
  const texts: FoundText[] = []
  for (const { session, requestId, createdMs, item } of found) {
    const items = await itemsOf(requestId)
    const { itemId, kind, toolName, text } = item
    const name = items?.names.get(itemId)?.name ?? toolName ?? kind
    const isKept = items !== undefined
    const excerpt = excerptOf(text, placeOf(text, words))
    texts.push({ session, requestId: isKept ? requestId : null, itemId, name, kind, createdMs, excerpt })
  }
  return texts
}

interface NamedItems {
  readonly names: ReturnType<typeof itemNames>
}

/** Items of requests with their names, each request read once; undefined where its receipt is gone. */
function itemReader(store: Store, tenant: string): (requestId: string) => Promise<NamedItems | undefined> {
  const known = new Map<string, Promise<NamedItems | undefined>>()
  const read = async (requestId: string): Promise<NamedItems | undefined> => {
    const receipt = await store.read('receipts').get(tenant, requestId, { request: false })
    return receipt && { names: itemNames(receipt.input?.items ?? []) }
  }
  return (requestId) => {
    const items = known.get(requestId) ?? read(requestId)
    known.set(requestId, items)
    return items
  }
}

/** Where a text says the words: as they were given, else the longest of them that it has, or how that begins. */
function placeOf(text: string, words: string): number {
  const said = text.toLowerCase()
  const sought = words.toLowerCase()
  const single = sought.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const byLength = single.toSorted((a, b) => b.length - a.length)
  const beginnings = byLength.map((word) => word.slice(0, Math.max(3, word.length - 3)))
  for (const each of [sought, ...byLength, ...beginnings]) {
    const at = said.indexOf(each)
    if (at >= 0) return at
  }
  return 0
}

const aroundChars = 80

/** The text around a place. */
export function excerptOf(text: string, at: number): string {
  const from = Math.max(0, at - aroundChars)
  return text.slice(from, at + 2 * aroundChars).toWellFormed()
}
