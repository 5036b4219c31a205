/** What an embedding is of: a text, or the numbers of its tokens. */
export type EmbeddingInput = string | readonly number[]

/**
 * A vector of length 1, the same for the same input. Words, and runs of three characters in them, each add to a place of
 * their own, so texts that share words are near each other. No model has read them: synonyms are as far apart as any words.
 */
export function textVector(input: EmbeddingInput, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const [feature, weight] of features(input)) {
    const hash = hashOf(feature)
    const place = hash % dimensions
    vector[place] = (vector[place] ?? 0) + ((hash >>> 16) % 2 === 0 ? weight : -weight)
  }
  const length = Math.hypot(...vector)
  // Features can cancel each other out.
  if (length === 0) vector[hashOf(String(input)) % dimensions] = 1
  return length === 0 ? vector : vector.map((value) => value / length)
}

/** Weights by feature. A word that is repeated counts more, but not as often as it stands there. */
function features(input: EmbeddingInput): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const term of typeof input === 'string' ? wordsIn(input) : input.map(String))
    counts.set(term, (counts.get(term) ?? 0) + 1)
  const weights = new Map<string, number>()
  for (const [word, count] of counts) {
    const weight = (1 + Math.log(count)) * (word.length > 3 ? 1 : shortWord)
    const runs = typeof input === 'string' ? runsOf(word) : []
    weights.set(word, weight)
    for (const run of runs) weights.set(run, (weights.get(run) ?? 0) + (weight * ofRuns) / Math.sqrt(runs.length))
  }
  return weights
}

/** Short words are mostly those that every text has. */
const shortWord = 0.25
const ofRuns = 0.5

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]
}

/** Words of one stem share most of them. */
function runsOf(word: string): readonly string[] {
  const marked = `<${word}>`
  return Array.from({ length: marked.length - 2 }, (_, at) => marked.slice(at, at + 3))
}

/** FNV-1a, with its bits mixed once more: neighbours in the alphabet are to lie far apart. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
