/** What was learnt about how something is to be compressed; a ladder obeys what its text names. */
export interface Guideline {
  readonly id: string
  /** Of the items that it is about: their `category`, or their section where they have none. */
  readonly category: string
  readonly taskType: string
  readonly regime: string
  /** One or two sentences. What stands in double quotes is kept wherever it stands, and so are the kinds of facts that it names: figures, names, questions, decisions. */
  readonly text: string
  /** When it was written, in milliseconds since the epoch. */
  readonly createdMs: number
  /** Compiles in which it applied. */
  readonly triggerCount: number
  /** Failures that it kept from happening again, as far as somebody has told. */
  readonly preventedFailures: number
}

/** What guidelines are chosen by. */
export interface GuidelineKey {
  readonly category: string
  readonly taskType: string
  readonly regime: string
}

/** The guidelines for a category of items in a kind of task and a regime: all three the very same. */
export function guidelinesFor(guidelines: readonly Guideline[], key: GuidelineKey): readonly Guideline[] {
  return guidelines.filter(
    ({ category, taskType, regime }) => category === key.category && taskType === key.taskType && regime === key.regime,
  )
}
