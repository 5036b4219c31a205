/**
 * How much of one text is read line by line. Of a text beyond `wholeUpTo` only an excerpt is rated and shown, so that a text costs
 * time in proportion to its length, however short its lines are; what states a failure is found in all of it.
 */
export const closeReading = {
  /** Characters of a text of which every line is rated. */
  wholeUpTo: 250_000,
  /** Lines and characters of an excerpt. What must stand may exceed them. */
  lines: 6_000,
  characters: 120_000,
  /** Lines that stay together where an excerpt is taken from the middle. */
  blockLines: 24,
  /** Failures beyond those that always stand whose message is in an excerpt. */
  failures: 400,
} as const

/** Whether a text is longer than what is read line by line. */
export function isVeryLong({ length }: { readonly length: number }): boolean {
  return length > closeReading.wholeUpTo
}
