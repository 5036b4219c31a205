import type { Hasher, Item } from '../../core/index.ts'
import { textMemo } from './text-memo.ts'

/**
 * Ledger keys: the hash of what an item is and says, and its occurrence, so that the same text seen twice has two keys.
 * A key does not depend on what stands around the item.
 */
export function itemKeys(items: readonly Item[], hashOf: (item: Item) => string): readonly string[] {
  const seen = new Map<string, number>()
  return items.map((item) => {
    const hash = hashOf(item)
    const occurrence = (seen.get(hash) ?? 0) + 1
    seen.set(hash, occurrence)
    return occurrence === 1 ? hash : `${hash}#${occurrence}`
  })
}

export type ContentHasher = (item: Item) => string

const hashers = new WeakMap<Hasher, ContentHasher>()

/**
 * Content hash of an item, computed once per item object, and once per text where objects come and go. All who hash by the
 * same function share what is known.
 */
export function contentHasher(hash: Hasher): ContentHasher {
  const made = hashers.get(hash) ?? newHasher(hash)
  hashers.set(hash, made)
  return made
}

function newHasher(hash: Hasher): ContentHasher {
  const known = new WeakMap<Item, string>()
  const byText = textMemo((): Map<string, string> => new Map())
  return (item) => {
    let digest = known.get(item)
    if (digest === undefined) {
      const about = `${item.kind}\n${item.role ?? ''}\n${item.toolName ?? ''}\n`
      const digests = byText.get(item.text)
      digest = digests.get(about) ?? hash(about + item.text)
      digests.set(about, digest)
      known.set(item, digest)
    }
    return digest
  }
}

/**
 * The handle of a content under a key: twelve decimal digits, which are unguessable without the key and cost four tokens
 * where hexadecimal costs twice that.
 */
export function handleFrom(hash: Hasher, key: string, contentHash: string): string {
  const number = Number.parseInt(hash(`${key}\n${contentHash}`).slice(0, 12), 16) % 1e12
  return String(number).padStart(12, '0')
}
