import type { Hasher, Pack, PackEntry, PackMessage } from '../../core/index.ts'
import { stableJson } from '../../core/index.ts'
import { lineDigest } from './digest.ts'

export interface PackHasher {
  /** The hash of a pack; the hashes of its messages' pieces where they are known, message by message. */
  of(pack: Omit<Pack, 'hash'>, pieceHashes?: readonly (readonly string[])[]): string
}

/**
 * The hash of a pack, which is also its id. It binds every byte that is sent and can be computed from the
 * pack alone: an entry is one line of canonical JSON and the hash of its text, a message is its role and the hashes of its
 * pieces, and the pack is the digest of these lines (see `lineDigest`).
 */
export function packHasher(hash: Hasher, textHash: (text: string) => string): PackHasher {
  const entryDigest = lineDigest(hash)
  const pieceDigest = lineDigest(hash)
  const lines = new WeakMap<PackEntry, string>()
  const lineOf = (entry: PackEntry): string => {
    const known = lines.get(entry) ?? `${fieldsOf(entry)} ${textHash(entry.text)}`
    lines.set(entry, known)
    return known
  }
  return {
    of({ layout, entries, messages, breakpoints, tokens }, pieceHashes) {
      const pieces: string[] = []
      for (const [index, message] of messages.entries()) {
        pieces.push(message.role)
        for (const digest of pieceHashes?.[index] ?? piecesOf(message).map(textHash)) pieces.push(digest)
      }
      const parts = [entryDigest.of(entries.map(lineOf)), pieceDigest.of(pieces)]
      return hash(['prehend.pack/1', layout, String(tokens), ...parts, stableJson(breakpoints)].join('\n'))
    },
  }
}

/** Whether the hash of a pack is that of what it holds. */
export function isIntact(pack: Pack, hash: Hasher): boolean {
  return packHasher(hash, hash).of(pack) === pack.hash
}

function fieldsOf({ itemId, section, rung, tokens, changed, handle }: PackEntry): string {
  return JSON.stringify([itemId, section, rung, tokens, changed, handle ?? null])
}

function piecesOf({ text, cuts = [] }: PackMessage): readonly string[] {
  const pieces: string[] = []
  let start = 0
  for (const end of [...cuts, text.length]) {
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}
