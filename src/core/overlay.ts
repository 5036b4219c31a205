import type { HiddenTurn } from './hidden-turn.ts'
import type { Item } from './item.ts'

/** What one reply held that the client never saw. */
export interface HiddenTurnPart {
  readonly kind: 'hidden-turn'
  readonly turn: HiddenTurn
}

/** A message of ours, and the messages between which it stood, by their ids, the nearest first; none at an end. */
export interface InsertionPart {
  readonly kind: 'insertion'
  /** Raw JSON of the message as it went upstream. */
  readonly raw: string
  readonly after: readonly string[]
  readonly before: readonly string[]
  /** The item that it shows, and its text there: by these it is known again in later requests. */
  readonly item?: Item
  readonly text: string
}

/** One thing that we added to a client's conversation, and that is put back into each later request of it. */
export type OverlayPart = HiddenTurnPart | InsertionPart
