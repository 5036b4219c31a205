import type { Hasher, Pack, PackEntry, PackMessage } from '../../core/index.ts'
import { stableJson } from '../../core/index.ts'
import { lineDigest } from './digest.ts'

/** What the caller has hashed already: the lines of the entries, and of each message its role and its pieces' hashes. */
export interface KnownHashes {
  readonly entryLines: readonly string[]
  readonly messageLines: readonly string[]
}

export interface PackHasher {
  /** `digest` is the hash of its text, where that is known. */
  entryLine(entry: PackEntry, digest?: string): string
  of(pack: Omit<Pack, 'hash'>, known?: KnownHashes): string
}

/**
 * The hash of a pack, which is also its id. It binds every byte that is sent and can be computed from the
 * pack alone: an entry is one line of canonical JSON and the hash of its text, a message is its role and the hashes of its
 * pieces, and the pack is the digest of these lines (see `lineDigest`).
 */
export function packHasher(hash: Hasher, textHash: (text: string) => string): PackHasher {
  const entryDigest = lineDigest(hash)
  const pieceDigest = lineDigest(hash)
  const entryLine = (entry: PackEntry, digest?: string): string =>
    `${fieldsOf(entry)} ${digest ?? textHash(entry.text)}`
  return {
    entryLine,
    of({ layout, entries, messages, breakpoints, tokens }, known) {
      const entryLines = known?.entryLines ?? entries.map((entry) => entryLine(entry))
      const messageLines =
        known?.messageLines ??
        messages.flatMap((message) => [message.role, ...piecesOf(message).map((piece) => textHash(piece))])
      const parts = [entryDigest.of(entryLines), pieceDigest.of(messageLines)]
      return hash(['prehend.pack/1', layout, String(tokens), ...parts, stableJson(breakpoints)].join('\n'))
    },
  }
}

/** Whether the hash of a pack is that of what it holds. */
export function isIntact(pack: Pack, hash: Hasher): boolean {
  return packHasher(hash, hash).of(pack) === pack.hash
}

function fieldsOf({ itemId, section, rung, tokens, handle }: PackEntry): string {
  return JSON.stringify([itemId, section, rung, tokens, handle ?? null])
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
