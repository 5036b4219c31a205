import type { PackEntry, PackMessage, PayloadMarkup, Rendition } from '../core/index.ts'
import type { Piece } from './layout/piece.ts'
import type { Slot } from './layout/slot.ts'
import type { RungPoint } from './solvers/hull.ts'

/** A rendition as it stands in a pack of layout `payload`, what that costs, and its entry. */
export interface Shown extends Piece {
  readonly markup: PayloadMarkup
  readonly rendition: Rendition
  readonly entry: PackEntry
  readonly slot: Slot
  /** Where the item comes from. */
  readonly uri: string | undefined
  /** The message that the piece is, where it is one. */
  readonly message: PackMessage | undefined
  /** The entry's line in the pack's hash, once someone has asked for it. */
  entryLine: string | undefined
}

/** The ways to show a candidate, dearest first, and how a solver sees them. */
export interface ShownLadder {
  readonly key: string
  readonly shown: readonly Shown[]
  readonly points: readonly RungPoint[]
  readonly hull: readonly number[]
  /** Index of the cheapest form that loses nothing. */
  readonly lossless: number
}
