import type { Hasher, PackEntry, PackMessage } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import { flatListMapper } from '../items/list-mapper.ts'
import { digestOf } from '../forms/piece.ts'
import type { Piece } from '../forms/piece.ts'
import type { Assembled } from '../stages/assemble.ts'
import { listDigest } from '../items/digest.ts'
import type { PackDigests } from './pack-hash.ts'

/** What a pack's hash is made of; what stands as in the pack before is not hashed again. */
export type DigestPack = (assembled: Pick<Assembled, 'shown' | 'messages' | 'pieces'>) => PackDigests

/** A message has a line for its role and one for each of its pieces. */
type Part = string | Piece

export function packDigester(hash: Hasher, entryLine: (entry: PackEntry, digest?: string) => string): DigestPack {
  // What is shown as it is has been hashed, or is to be, as a piece of its message.
  const digestOfText = (form: Form) => (form.fragment === form.entry.text ? digestOf(form, hash) : undefined)
  const entries = listDigest(hash, (form: Form) => (form.entryLine ??= entryLine(form.entry, digestOfText(form))))
  const parts = listDigest(hash, (part: Part) => (typeof part === 'string' ? part : digestOf(part, hash)))
  // A message that stands as it stood has the same pieces. Most pieces stand in the last one.
  let piecesOf: Assembled['pieces'] = []
  const partsBefore = flatListMapper(({ role }: PackMessage, at): readonly Part[] => [role, ...(piecesOf[at] ?? [])])
  return ({ shown, messages, pieces }) => {
    piecesOf = pieces
    const before = partsBefore(messages.slice(0, -1))
    const last = messages.at(-1)
    const all = last === undefined ? before : before.concat(last.role, pieces.at(-1) ?? [])
    return { entries: entries(shown), messages: parts(all) }
  }
}
