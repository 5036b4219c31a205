/** A reply, what it may have been written from, and what it really was. */
export interface LabelledReply {
  readonly text: string
  readonly entries: readonly { readonly id: string; readonly text: string }[]
  readonly cited: ReadonlySet<string>
}

/** How often citations are right, over all pairs of a reply and an entry; shares from 0 to 1. */
export interface CitationFigures {
  readonly precision: number
  readonly recall: number
  readonly f1: number
  readonly accuracy: number
}

/** What citations are worth against labels, such as those that a provider has made itself, which are taken for right. */
export function citationFigures(
  replies: readonly LabelledReply[],
  citations: (reply: LabelledReply) => readonly { readonly source: string }[],
): CitationFigures {
  let [right, found, cited, agreed, pairs] = [0, 0, 0, 0, 0]
  for (const reply of replies) {
    const named = new Set(citations(reply).map(({ source }) => source))
    for (const { id } of reply.entries) {
      right += Number(named.has(id) && reply.cited.has(id))
      agreed += Number(named.has(id) === reply.cited.has(id))
    }
    found += named.size
    cited += reply.cited.size
    pairs += reply.entries.length
  }
  return {
    precision: share(right, found),
    recall: share(right, cited),
    f1: share(2 * right, found + cited),
    accuracy: share(agreed, pairs),
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole
}
