import { commonPrefixLength } from '../../core/index.ts'
import type { TextSource } from '../../core/index.ts'
import type { Written } from '../kernel/table.ts'
import { listKinds } from '../tables/list-kinds.ts'
import { toFragment, toRanges } from './known-lists.ts'
import type { Change } from './known-lists.ts'

/** The request body that a session's last receipt holds, and its pieces. Nothing else of it, nor of those before, is kept in memory. */
export interface KnownBody {
  readonly next: number
  readonly body: TextSource
  readonly pieces: readonly KnownPiece[]
}

interface KnownPiece {
  readonly number: number
  readonly start: number
  readonly end: number
}

export const emptyBody: KnownBody = { next: 0, body: '', pieces: [] }

/** What is new of a body, cut where messages, blocks and tools begin, against the body before. */
export function changeBody(before: KnownBody, body: TextSource, write: (piece: string) => Written): Change<KnownBody> {
  const shared = commonPrefixLength(before.body, body)
  const end = before.pieces.findLastIndex((piece) => piece.end <= shared) + 1
  const pieces = before.pieces.slice(0, end)
  const fresh: string[] = []
  for (const cut of cutsOf(body, pieces.at(-1)?.end ?? 0)) {
    const known = before.pieces[pieces.length]
    const start = pieces.at(-1)?.end ?? 0
    const piece = body.slice(start, cut)
    const isKnown = known !== undefined && before.body.slice(known.start, known.end) === piece
    if (!isKnown) fresh.push(piece)
    pieces.push({ number: isKnown ? known.number : before.next + fresh.length - 1, start, end: cut })
  }
  return {
    known: { next: before.next + fresh.length, body, pieces },
    ranges: toRanges(pieces),
    ...(fresh.length > 0 && { fragment: toFragment(listKinds.body, before.next, fresh.map(write)) }),
  }
}

/** Members that a message, a block or a tool begins with. */
const firstMembers = ['"role"', '"type"', '"name"']

/** Where the pieces after `from` end. */
function cutsOf(body: TextSource, from: number): number[] {
  const fresh = body.slice(from)
  const begins = firstMembers.flatMap((member) => placesOf(member, fresh)).toSorted((a, b) => a - b)
  return fresh === '' ? begins : [...begins.map((place) => from + place), body.length]
}

/** Where the objects begin whose first member it is; not the one that a text begins with. */
function placesOf(member: string, text: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(member); at >= 0; at = text.indexOf(member, at + member.length)) {
    let before = at - 1
    while (isBlank(text.charCodeAt(before))) before -= 1
    if (before > 0 && text[before] === '{') places.push(before)
  }
  return places
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}
