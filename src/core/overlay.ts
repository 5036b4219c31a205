import type { HiddenTurn } from './hidden-turn.ts'
import type { Item } from './item.ts'

/**
 * What a client's conversation said before something was added to it, as digests. Only where the same was said does it come
 * back, so that nothing of one conversation ever stands in another.
 */
export interface SaidBefore {
  /** All of it. */
  readonly all: string
  /** The last call or result whose id no other conversation has, and what was said since; absent where there is none. */
  readonly recent?: string
}

/** What one reply held that the client never saw. */
export interface HiddenTurnPart {
  readonly kind: 'hidden-turn'
  readonly turn: HiddenTurn
  readonly saidBefore?: SaidBefore
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
  readonly saidBefore?: SaidBefore
}

/**
 * An instruction, or a tool's definition, as the provider has it in its cache: its form, as a digest, and what stood in it where clocks
 * and ids stand.
 */
export interface SteadyText {
  /** The name of the tool; absent for an instruction. */
  readonly tool?: string
  readonly form: string
  readonly values: readonly string[]
  /** All of it, once something else in it than a clock or an id has been seen to change. */
  readonly text?: string
}

/** The instructions and tools of a conversation as they were first sent, so that its beginning stays the same. */
export interface SteadyPart {
  readonly kind: 'steady'
  readonly texts: readonly SteadyText[]
  readonly saidBefore?: SaidBefore
}

/** The tools of a conversation that its requests define; the model finds the client's others, and calls them by `execute_tool`. */
export interface ToolsPart {
  readonly kind: 'tools'
  /** By name: tools that are defined, or were called under their own names. */
  readonly listed: readonly string[]
  /** Whether the others are defined, too, and the provider shows them to the model once they are found. */
  readonly isDeferred?: true
  /** Whether all tools of the client are defined, whatever `listed` says: the others are those of the host. */
  readonly isWhole?: true
  /** The step of the host that the tools were chosen for, where they are chosen anew for each. */
  readonly step?: string
  /** What the conversation is told of the others. */
  readonly about: string
  readonly saidBefore?: SaidBefore
}

/** One thing that is ours in a client's conversation, and that is put back into each later request of it. */
export type OverlayPart = HiddenTurnPart | InsertionPart | SteadyPart | ToolsPart
