import { seededRandom } from '../src/core/index.ts'

/*
 * Embeddings without a model to download: a word's vector is the sum of the sparse random vectors of the texts that it stands in, the
 * rarer the text's words the heavier (random indexing; Kanerva, Kristoferson, Holst 2000), and a sentence's the weighted sum of its
 * words', less what all have in common.
 */

const dimensions = 400
const marks = 8

/** Learns from texts what stands with what; the vector of a text is then of length 1, or absent where no word of it is known. */
export function wordVectors(texts: readonly string[]): (text: string) => Float32Array | undefined {
  const weight = rarity(texts)
  const vectors = new Map<string, Float32Array>()
  texts.forEach((text, index) => {
    for (const word of new Set(wordsOf(text))) {
      const vector = vectors.get(word) ?? new Float32Array(dimensions)
      vectors.set(word, vector)
      for (const [at, sign] of markOf(index)) vector[at] = (vector[at] ?? 0) + sign
    }
  })
  for (const vector of vectors.values()) scaleToOne(vector)
  const sumOf = (text: string): Float32Array | undefined => {
    const sum = new Float32Array(dimensions)
    let known = 0
    for (const word of wordsOf(text)) {
      const vector = vectors.get(word)
      if (vector === undefined) continue
      known += 1
      addTo(sum, vector, weight(word))
    }
    return known === 0 ? undefined : scaleToOne(sum)
  }
  const common = new Float32Array(dimensions)
  for (const text of texts) addTo(common, sumOf(text) ?? new Float32Array(dimensions), 1 / texts.length)
  return (text) => {
    const sum = sumOf(text)
    if (sum === undefined) return undefined
    addTo(sum, common, -1)
    return scaleToOne(sum)
  }
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
}

function rarity(texts: readonly string[]): (word: string) => number {
  const counts = new Map<string, number>()
  for (const text of texts) for (const word of new Set(wordsOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return (word) => Math.log(1 + texts.length / (1 + (counts.get(word) ?? 0)))
}

/** A few places and signs that are a text's own, the same in every run. */
function markOf(index: number): readonly (readonly [at: number, sign: number])[] {
  const random = seededRandom(index + 1)
  return Array.from({ length: marks }, () => [Math.floor(random() * dimensions), random() < 0.5 ? 1 : -1])
}

function addTo(sum: Float32Array, vector: Float32Array, factor: number): void {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + factor * (vector[at] ?? 0)
}

function scaleToOne(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  if (length > 0) for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length
  return vector
}
