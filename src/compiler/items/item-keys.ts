import type { Hasher, Item } from '../../core/index.ts'
import { perObject, textMemo } from '../../core/index.ts'

/**
 * Ledger keys: the hash of what an item is and says, and its occurrence, so that the same text seen twice has two keys.
 * A key does not depend on what stands around the item.
 */
export function itemKeys(items: readonly Item[], hashOf: (item: Item, index: number) => string): readonly string[] {
  const numbered = occurrences()
  return items.map((item, index) => numbered(hashOf(item, index)))
}

/** Numbers what comes more than once. */
function occurrences(): (hash: string) => string {
  const seen = new Map<string, number>()
  return (hash) => {
    const occurrence = (seen.get(hash) ?? 0) + 1
    seen.set(hash, occurrence)
    return occurrence === 1 ? hash : `${hash}#${occurrence}`
  }
}

/** Keys of the requests of one conversation, each of which mostly is the one before and a little more. */
export function growingKeys(hashOf: ContentHasher): (items: readonly Item[]) => readonly string[] {
  let last: readonly Item[] = []
  let keys: readonly string[] = []
  let numbered = occurrences()
  return (items) => {
    const goesOn = last.every((item, index) => item === items[index])
    if (!goesOn) numbered = occurrences()
    const fresh = items.slice(goesOn ? last.length : 0).map((item) => numbered(hashOf(item)))
    keys = goesOn ? [...keys, ...fresh] : fresh
    last = items
    return keys
  }
}

export type ContentHasher = (item: Item) => string

interface Hashers {
  readonly byItem: ContentHasher
  readonly byText: ContentHasher
}

/**
 * Content hash of an item, computed once per item object, and once per text where objects come and go. All who hash by the
 * same function share what is known.
 */
export function contentHasher(hash: Hasher): ContentHasher {
  return hashersOf(hash).byItem
}

/** The same for who asks once of each object: only what texts say is remembered. */
export function contentHasherByText(hash: Hasher): ContentHasher {
  return hashersOf(hash).byText
}

const hashersOf = perObject((hash: Hasher): Hashers => {
  const byText = newHasher(hash)
  return { byText, byItem: perObject(byText) }
})

function newHasher(hash: Hasher): ContentHasher {
  const byText = textMemo((): Said[] => [])
  return (item) => {
    const about = `${item.kind}\n${item.role ?? ''}\n${item.toolName ?? ''}\n`
    const { fingerprint, url, mimeType = '' } = item.media ?? {}
    const bytes = fingerprint ?? url
    // What has no text is told by its bytes, and by what they are said to be: a handle brings back both.
    if (bytes !== undefined) return hash(`${about}${mimeType}\n${bytes}\n${item.text}`)
    const said = byText.get(item.text)
    const known = said.find((one) => one.about === about)
    if (known !== undefined) return known.digest
    const digest = hash(about + item.text)
    if (said.length >= mostSaid) said.length = 0
    said.push({ about, digest })
    return digest
  }
}

/** What a text is said as, in the same kind, role and tool, and its hash; mostly there is one. */
interface Said {
  readonly about: string
  readonly digest: string
}

/** Names of tools may be anything. */
const mostSaid = 16

/**
 * The handle of a content under a key: twelve decimal digits, which are unguessable without the key and cost four tokens
 * where hexadecimal costs twice that.
 */
export function handleFrom(hash: Hasher, key: string, contentHash: string): string {
  const number = Number.parseInt(hash(`${key}\n${contentHash}`).slice(0, 12), 16) % 1e12
  return String(number).padStart(12, '0')
}
