import type { Hasher, PackEntry } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import { listMapper } from '../layout/list-mapper.ts'
import { digestOf } from '../layout/piece.ts'
import type { Piece } from '../layout/piece.ts'
import type { Assembled } from '../stages/assemble.ts'
import type { KnownHashes } from './pack-hash.ts'

/** The lines of a pack's hash, made once for each form and piece. */
export type PackLines = (assembled: Pick<Assembled, 'shown' | 'messages' | 'pieces'>) => KnownHashes

export function packLiner(hash: Hasher, entryLine: (entry: PackEntry, digest?: string) => string): PackLines {
  // What is shown as it is has been hashed, or is to be, as a piece of its message.
  const digestOfText = (form: Form) => (form.fragment === form.entry.text ? digestOf(form, hash) : undefined)
  const entryLines = listMapper((form: Form) => (form.entryLine ??= entryLine(form.entry, digestOfText(form))))
  // Most pieces stand in the last message.
  const lastDigests = listMapper((piece: Piece) => digestOf(piece, hash))
  return ({ shown, messages, pieces }) => {
    const lines: string[] = []
    for (let at = 0; at < messages.length - 1; at += 1) {
      lines.push(messages[at]?.role ?? '')
      const own = pieces[at] ?? []
      for (let place = 0; place < own.length; place += 1) lines.push(digestOf(own[place] as Piece, hash))
    }
    const last = messages.at(-1)
    const messageLines = last === undefined ? lines : lines.concat(last.role, lastDigests(pieces.at(-1) ?? []))
    return { entryLines: entryLines(shown), messageLines }
  }
}
