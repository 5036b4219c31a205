import type { HiddenTurn } from './hidden-turn.ts'

/** One thing that we added to a client's conversation, and that is put back into each later request of it. */
export type OverlayPart = { readonly kind: 'hidden-turn'; readonly turn: HiddenTurn }
