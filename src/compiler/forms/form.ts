import type { Item, PackEntry, PackMessage, PayloadMarkup, Rendition } from '../../core/index.ts'
import type { Piece } from './piece.ts'
import type { Slot } from './slot.ts'
import type { RungPoint } from '../solvers/hull.ts'
import { hullOf } from '../solvers/hull.ts'

/** How a rendition is written where it stands. */
export interface Writing {
  /** The same for what is written alike; a conversation is `plain`: its structure is that of the wire. */
  readonly name: PayloadMarkup | 'plain'
  /** `label` is what others refer to it by, where any do. */
  fragment(item: Item, text: string, label?: string): string
}

export const plainWriting: Writing = { name: 'plain', fragment: (_, text) => text }

/** A rendition as it stands in a pack, what that costs, and its entry. */
export interface Form extends Piece {
  readonly writing: Writing['name']
  readonly rendition: Rendition
  readonly entry: PackEntry
  readonly slot: Slot
  /** Where the item comes from. */
  readonly uri: string | undefined
  /** The message that the piece is, where it is one. */
  readonly message: PackMessage | undefined
  /** The entry's line in the pack's hash, once someone has asked for it. */
  entryLine: string | undefined
  /** How a ledger knows it as memory, once someone has asked for it. */
  memoryKey: string | undefined
}

/** The ways to show a candidate, dearest first, and how a solver sees them. */
export interface FormLadder {
  readonly key: string
  readonly points: readonly RungPoint[]
  readonly hull: readonly number[]
  /** Index of the cheapest form that loses nothing. */
  readonly lossless: number
  /** The form of a point; made when it is first asked for, since most are only weighed. */
  form(at: number): Form | undefined
}

export function allForms(ladder: FormLadder): readonly Form[] {
  return ladder.points.flatMap((_, at) => ladder.form(at) ?? [])
}

/** The forms that take away no more than a share of an item, and those that lose nothing. */
export function withinRemoval(ladder: FormLadder, mostRemoved: number | undefined): FormLadder {
  const { points, lossless } = ladder
  if (mostRemoved === undefined) return ladder
  const least = (points[0]?.tokens ?? 0) * (1 - mostRemoved)
  const count =
    Math.max(
      lossless,
      points.findLastIndex(({ tokens }) => tokens >= least),
    ) + 1
  if (count >= points.length) return ladder
  const kept = points.slice(0, count)
  const form = (at: number): Form | undefined => (at < count ? ladder.form(at) : undefined)
  return { key: ladder.key, points: kept, hull: hullOf(kept), lossless, form }
}
