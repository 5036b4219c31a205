/** A text that may be shown, and what is known about it that its text does not say. */
export interface Passage {
  readonly text: string
  /** What else it is found by, without being shown: a title, the date of a conversation. */
  readonly about?: string | undefined
  /** Who says it. */
  readonly speaker?: string | undefined
  /** Passages of one thread that stand one after another are a conversation: what is said around a hit counts. */
  readonly thread?: string | undefined
}
