/** A place that a reply names as the source of some of its words. */
export interface Citation {
  /** Where it is: a URL, the source that a search result was given, a file's id, or the title of a document. */
  readonly source: string
  readonly title?: string
  /** What stands there, as far as the provider says. */
  readonly citedText?: string
  /** The words that it is cited for, as offsets in the text of the reply; absent where the provider does not say. */
  readonly start?: number
  readonly end?: number
  /** From 0 to 1, where the provider says how sure it is. */
  readonly confidence?: number
}
