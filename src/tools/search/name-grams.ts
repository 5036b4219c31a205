/** How much of the name of each tool stands in a query, by pieces of words: from 0 to 1. Finds names that are written as one word, and other forms of a word. */
export type NameGrams = (query: string) => Float64Array

const gramLength = 4
const leastLength = 3

export function nameGrams(names: readonly string[]): NameGrams {
  const grams = names.map((name) => new Set(gramsOf(name)))
  const places = new Map<string, number[]>()
  for (const [at, own] of grams.entries())
    for (const gram of own) {
      const known = places.get(gram)
      if (known === undefined) places.set(gram, [at])
      else known.push(at)
    }
  const weightOf = (gram: string): number => Math.log(1 + names.length / (places.get(gram)?.length ?? 1)) ** 2
  const lengths = grams.map((own) => Math.sqrt(Array.from(own, weightOf).reduce((sum, weight) => sum + weight, 0)))
  return (query) => {
    const scores = new Float64Array(names.length)
    for (const gram of new Set(gramsOf(query))) {
      const weight = weightOf(gram)
      for (const at of places.get(gram) ?? []) scores[at] = (scores[at] ?? 0) + weight / (lengths[at] ?? 1)
    }
    return scores
  }
}

/** A word of at most four characters is a piece of its own. */
function gramsOf(text: string): readonly string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return words.flatMap((word) => {
    if (word.length <= gramLength) return word.length < leastLength ? [] : [word]
    return Array.from({ length: word.length - gramLength + 1 }, (_, at) => word.slice(at, at + gramLength))
  })
}
