import type { CompactionConfig } from './compaction.ts'

/** What a handoff tells the session that goes on. */
export interface Briefing {
  readonly objective: string
  /** Facts and decisions. */
  readonly context: readonly string[]
  /** Pending actions, and how far things have come; may be empty. */
  readonly state: readonly string[]
  /** Rules that hold, word for word. */
  readonly constraints: readonly string[]
  readonly nextSteps: readonly string[]
}

/** A compaction that was asked for by hand, for the next request of a conversation. */
export interface LaneOrder extends Pick<CompactionConfig, 'preserveRecent' | 'summaryBudget'> {
  readonly name: string
  /** The conversation that it is for. */
  readonly lane: string
}

/** What was answered to a request with an idempotency key, so that the same request is answered the same again. */
export interface KeyedAnswer {
  readonly key: string
  readonly answer: unknown
}

/** What is known of a session as a whole; kept beside its conversations. */
export interface SessionRecord {
  readonly compaction?: CompactionConfig
  readonly order?: LaneOrder
  /** The session that it was handed over from, or that its client named as such. */
  readonly parent?: string
  readonly briefing?: Briefing
  /** The sessions that it was handed over to, or that name it as theirs, the oldest first. */
  readonly children?: readonly string[]
  /** What a person tells the model, for the rest of the task. */
  readonly note?: string
  /** Ids of items that a person has pinned: they stand whole. */
  readonly pins?: readonly string[]
  /** The newest answers, the oldest first. */
  readonly answers?: readonly KeyedAnswer[]
}

/** A record as it is stored: the only part of the overlay in a lane of its own. */
export interface SessionRecordPart extends SessionRecord {
  readonly kind: 'session-record'
}
