import { fragmentKinds, toFragment, toRanges } from './known-lists.ts'
import type { Change, Written } from './known-lists.ts'

/** The request body that a session's last receipt holds, and its pieces. Nothing else of it, nor of those before, is kept in memory. */
export interface KnownBody {
  readonly next: number
  readonly body: string
  readonly pieces: readonly KnownPiece[]
}

interface KnownPiece {
  readonly number: number
  readonly start: number
  readonly end: number
}

export const emptyBody: KnownBody = { next: 0, body: '', pieces: [] }

/** What is new of a body, cut where messages, blocks and tools begin, against the body before. */
export function changeBody(before: KnownBody, body: string, write: (piece: string) => Written): Change<KnownBody> {
  const shared = sharedChars(before.body, body)
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
    ...(fresh.length > 0 && { fragment: toFragment(fragmentKinds.body, before.next, fresh.map(write)) }),
  }
}

const blockChars = 65_536

/** How many characters two texts begin alike with: by slices, which are compared as memory, each a part of the one before. */
function sharedChars(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let shared = 0
  for (let step = blockChars; step >= 1; step = Math.floor(step / 16)) {
    while (shared < most && one.slice(shared, shared + step) === other.slice(shared, shared + step)) shared += step
  }
  return Math.min(shared, most)
}

/** Members that a message, a block or a tool begins with. */
const firstMembers = ['"role"', '"type"', '"name"']

/** Where the pieces after `from` end. */
function cutsOf(body: string, from: number): number[] {
  const begins = firstMembers.flatMap((member) => placesOf(member, body, from)).toSorted((a, b) => a - b)
  return from < body.length ? [...begins, body.length] : begins
}

/** Where the objects begin whose first member it is. */
function placesOf(member: string, body: string, from: number): number[] {
  const places: number[] = []
  for (let at = body.indexOf(member, from); at >= 0; at = body.indexOf(member, at + member.length)) {
    let before = at - 1
    while (isBlank(body.charCodeAt(before))) before -= 1
    if (before > from && body[before] === '{') places.push(before)
  }
  return places
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}
