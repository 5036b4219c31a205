/** A file of tests, those that others run included: its path from the root of the repository, and its text. */
export interface TestFile {
  readonly path: string
  readonly text: string
}

/** The paths of the tests that cite a number, sorted, under each number that is cited. */
export type Citations = ReadonlyMap<string, readonly string[]>

// The lookbehind keeps names such as `SHA-256` and `x-A-001` from being read as citations.
const citation = /(?<![\w-])(?:[GVCPA]-\d{3}|[XBN]-\d{2})(?![\w-])/g

/** A number cites its requirement wherever it stands in a test. */
export function citationsOf(files: readonly TestFile[]): Citations {
  const citations = new Map<string, readonly string[]>()
  for (const { path, text } of files.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    for (const number of new Set(text.match(citation))) {
      citations.set(number, [...(citations.get(number) ?? []), path])
    }
  }
  return citations
}
