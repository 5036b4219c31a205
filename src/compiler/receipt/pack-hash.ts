import type { Hasher, Pack, PackEntry, PackMessage } from '../../core/index.ts'
import { stableJson } from '../../core/index.ts'
import { lineDigest } from './digest.ts'

/**
 * The hash of a pack, which is also its id. It binds every byte that is sent: each entry and message is
 * one line of canonical JSON with the hash of its text in place of the text; the hash is that of the digests of these
 * lines (see `lineDigest`). It can be computed from the pack alone, and again in the time that the change takes.
 */
export function packHasher(hash: Hasher, textHash: (text: string) => string): (pack: Omit<Pack, 'hash'>) => string {
  const entryDigest = lineDigest(hash)
  const messageDigest = lineDigest(hash)
  const entryLines = new WeakMap<PackEntry, string>()
  const messageLines = new WeakMap<PackMessage, string>()
  return ({ layout, entries, messages, breakpoints, tokens }) => {
    const parts = [
      'prehend.pack/1',
      layout,
      String(tokens),
      entryDigest.of(entries.map((entry) => keep(entryLines, entry, () => entryLine(entry, textHash(entry.text))))),
      messageDigest.of(
        messages.map((message) =>
          keep(messageLines, message, () => JSON.stringify([message.role, textHash(message.text)])),
        ),
      ),
      stableJson(breakpoints),
    ]
    return hash(parts.join('\n'))
  }
}

function entryLine(entry: PackEntry, textHash: string): string {
  const { itemId, section, rung, tokens, changed, handle } = entry
  return JSON.stringify([itemId, section, rung, textHash, tokens, changed, handle ?? null])
}

function keep<Key extends object>(lines: WeakMap<Key, string>, key: Key, make: () => string): string {
  const known = lines.get(key)
  if (known !== undefined) return known
  const made = make()
  lines.set(key, made)
  return made
}
