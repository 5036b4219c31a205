import type { Passage } from '../../knowledge/index.ts'

/** Something that may be shown: a turn of a conversation, a document, or the definition of a tool. */
export interface LabelledPassage {
  readonly id: string
  /** As it is shown. */
  readonly text: string
  /** As it is looked for. */
  readonly found: Passage
}

/** A string that must stand word for word in what is shown of a passage: any of several. */
export interface LabelledQuote {
  /** Index of the passage. */
  readonly at: number
  readonly anyOf: readonly string[]
}

/** A question whose answer somebody has found in certain passages. */
export interface LabelledQuestion {
  readonly id: string
  readonly text: string
  /** Indexes of the passages that are needed; at least one. */
  readonly evidence: readonly number[]
  /** What must be left of them: an answer, or the sentences that tell it. */
  readonly quotes: readonly LabelledQuote[]
}

/** A conversation, or a collection of documents, with the questions that were asked of it. */
export interface LabelledGroup {
  readonly id: string
  readonly passages: readonly LabelledPassage[]
  readonly questions: readonly LabelledQuestion[]
}

export const labelledKinds = ['conversation', 'documents', 'tools'] as const
export type LabelledKind = (typeof labelledKinds)[number]

/** The questions of one file, with what they were asked of. */
export interface LabelledSet {
  /** The file of the questions. */
  readonly name: string
  /** Of its records; see `recordShapes`. */
  readonly shape: string
  readonly kind: LabelledKind
  readonly groups: readonly LabelledGroup[]
  /** Questions that are not asked, by reason. */
  readonly leftOut: Readonly<Record<string, number>>
}
