import type { Similar } from './citable-entry.ts'
import type { Sentence } from './sentences.ts'

/**
 * How much of what a sentence says two neighbouring sentences of an entry say too, in the same words: each word weighs the more the
 * fewer entries have it, and what no entry has weighs most.
 */
export function lexicalSimilarity(entries: readonly (readonly Sentence[])[]): Similar {
  const words = entries.map((sentences) => sentences.map(({ said }) => new Set(wordsOf(said))))
  const having = new Map<string, number>()
  for (const sets of words)
    for (const word of new Set(sets.flatMap((set) => [...set]))) having.set(word, (having.get(word) ?? 0) + 1)
  const weightOf = (word: string): number => Math.log(1 + entries.length / (1 + (having.get(word) ?? 0)))
  return (sentence, { sentences }, index) => {
    const own = [...new Set(wordsOf(sentence.said))]
    const all = own.reduce((sum, word) => sum + weightOf(word), 0)
    if (all === 0) return undefined
    let best: { readonly confidence: number; readonly citedText: string } | undefined
    const sets = words[index] ?? []
    for (const [at, set] of sets.entries()) {
      const next = sets[at + 1]
      const shared = own.reduce(
        (sum, word) => sum + (set.has(word) || next?.has(word) === true ? weightOf(word) : 0),
        0,
      )
      if (shared / all <= (best?.confidence ?? 0)) continue
      const alike = [at, at + 1].filter((place) => own.some((word) => sets[place]?.has(word) === true))
      const citedText = alike.map((place) => sentences[place]?.said ?? '').join(' ')
      best = { confidence: shared / all, citedText }
    }
    return best
  }
}

/** Words of three letters and more and numbers, without the endings of plurals. */
function wordsOf(text: string): readonly string[] {
  return Array.from(text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu), ([word]) => word).flatMap((word) => {
    if (word.length < 3 && !/\d/.test(word)) return []
    return [word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word]
  })
}
