/** The names of the vocabularies that there are. */
export const vocabularyIds = ['o200k_base', 'cl100k_base', 'claude'] as const
export type VocabularyId = (typeof vocabularyIds)[number]

/** A published vocabulary as data: every token, in the order of ranks. */
export interface TokenVocabulary {
  readonly id: VocabularyId
  /** Tokens that are whole characters, end to end. */
  readonly text: string
  /** A character per token, whose code less that of a space is what it takes of `text`; a space is a part of a character. */
  readonly lengths: string
  /** The bytes of those parts, as hexadecimal. */
  readonly parts: readonly string[]
}
