/** A file: its path from the root of the repository, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** The paths of the tests that cite a number, sorted, under each number that is cited. */
export type Citations = ReadonlyMap<string, readonly string[]>

// The lookbehind keeps names such as `SHA-256` and `x-A-001` from being read as citations.
const citation = /(?<![\w-])(?:[GVCPA]-\d{3}|[XBN]-\d{2})(?![\w-])/g

/** Numbers in doc comments, which are published and mean nothing to their readers: one sentence for each file that has any. */
export function strayNumbers(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const numbers = text
      .split('\n')
      .flatMap((line) => (/^\s*(?:\/\*\*|\* )/.test(line) ? (line.match(citation) ?? []) : []))
    return numbers.length === 0 ? [] : [`${path} has ${numbers.join(', ')} in a doc comment; say the reason in words`]
  })
}

/** A number cites its requirement wherever it stands in a test. */
export function citationsOf(files: readonly SourceFile[]): Citations {
  const citations = new Map<string, readonly string[]>()
  for (const { path, text } of files.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    for (const number of new Set(text.match(citation))) {
      citations.set(number, [...(citations.get(number) ?? []), path])
    }
  }
  return citations
}
