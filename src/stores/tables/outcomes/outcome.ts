export const outcomeSources = ['person', 'benchmark', 'test', 'constraint', 'checklist', 'correction'] as const
/** Who says how good a request or a session turned out, the most trustworthy source first. */
export type OutcomeSource = (typeof outcomeSources)[number]

/** Characters of a note at most. */
export const mostNoteChars = 2000

/** How good one request of a session turned out, or the whole session. What nobody has judged has no outcome. */
export interface RecordedOutcome {
  /** Absent for an outcome of the whole session. */
  readonly requestId?: string
  readonly source: OutcomeSource
  /** From 0 to 1. */
  readonly quality: number
  /** How much it counts in statistics. */
  readonly weight: number
  /** Milliseconds since the epoch. */
  readonly atMs: number
  readonly note?: string
}

/**
 * Records an outcome of the unit's session, whatever its lane; the session must be there. The same quality again changes nothing.
 * Another quality of the same source is a conflict unless it replaces the first.
 */
export interface OutcomeWrite extends Pick<RecordedOutcome, 'requestId' | 'source' | 'quality' | 'note'> {
  readonly replace?: boolean
}

export interface OutcomeReads {
  /** Those of a session, the oldest first. */
  list(tenant: string, session: string): readonly RecordedOutcome[]
}

export interface OutcomeTypes {
  readonly write: OutcomeWrite
  readonly reads: OutcomeReads
}

/** Until credit is shared among the requests of an episode, every outcome counts once. */
export const usualWeight = 1
