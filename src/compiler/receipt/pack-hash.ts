import type { Hasher, Pack, PackEntry, PackMessage } from '../../core/index.ts'
import { stableJson } from '../../core/index.ts'
import { lineDigest } from '../items/digest.ts'

/** What the caller has hashed already: the lines of the entries, and those of the messages. */
export interface PackDigests {
  readonly entries: string
  readonly messages: string
}

export interface PackHasher {
  /** `digest` is the hash of its text, where that is known. */
  entryLine(entry: PackEntry, digest?: string): string
  of(pack: Omit<Pack, 'hash'>, known?: PackDigests): string
}

/**
 * The hash of a pack, which is also its id. It binds every byte that is sent and can be computed from the
 * pack alone: an entry is one line of canonical JSON and the hash of its text, a message is its role and the hashes of its
 * pieces, and the pack is the digest of these lines (see `lineDigest`).
 */
export function packHasher(hash: Hasher, textHash: (text: string) => string): PackHasher {
  const entryLine = (entry: PackEntry, digest?: string): string =>
    `${fieldsOf(entry)} ${digest ?? textHash(entry.text)}`
  const digestsOf = ({ entries, messages }: Pick<Pack, 'entries' | 'messages'>): PackDigests => ({
    entries: lineDigest(hash)(entries.map((entry) => entryLine(entry))),
    messages: lineDigest(hash)(
      messages.flatMap((message) => [message.role, ...piecesOf(message).map((piece) => textHash(piece))]),
    ),
  })
  return {
    entryLine,
    of({ layout, entries, messages, breakpoints, tokens }, known) {
      const digests = known ?? digestsOf({ entries, messages })
      const parts = [digests.entries, digests.messages]
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
