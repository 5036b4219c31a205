import type { Passage } from './passage.ts'
import { termsOf } from './terms.ts'

/** Where a term stands: passages in their order, and how often. */
interface Postings {
  readonly passages: readonly number[]
  readonly counts: readonly number[]
}

/** How much of a term is said in and around each passage, at one reach. */
interface Reach {
  /** Terms of each passage and, the farther the fewer, of those around it. */
  readonly lengths: Float64Array
  readonly meanLength: number
}

/** Passages by the terms that they hold. */
export interface PassageIndex {
  readonly size: number
  /** Terms of each passage, each once. */
  readonly vocabularies: readonly (readonly string[])[]
  /** How many passages hold a term. */
  countOf(term: string): number
  /**
   * BM25 of each passage for weighted terms. With a reach, what neighbours of the same thread say counts, too, the less the
   * farther away they are, and up to that many passages away.
   */
  score(terms: ReadonlyMap<string, number>, reach: number): Float64Array
}

/** How soon saying a term again adds nothing, and how much long passages are held back: as usual for BM25. */
const saturation = 0.9
const lengthShare = 0.4

/** An index by stemmed words or, for comparison, by whatever else a text is taken to say. */
export function passageIndex(
  passages: readonly Passage[],
  readTerms: (text: string) => readonly string[] = termsOf,
): PassageIndex {
  const terms = passages.map(({ text, about, speaker }) => readTerms(`${speaker ?? ''} ${about ?? ''} ${text}`))
  const postings = postingsOf(terms)
  const threads = threadBounds(passages)
  const size = passages.length
  const reaches = new Map<number, Reach>()
  const reachOf = (reach: number): Reach => {
    const known = reaches.get(reach)
    if (known !== undefined) return known
    const lengths = spread(
      { passages: [...terms.keys()], counts: terms.map((one) => one.length) },
      { size, threads, reach },
    )
    const made = { lengths, meanLength: lengths.reduce((sum, length) => sum + length, 0) / size || 1 }
    reaches.set(reach, made)
    return made
  }
  return {
    size,
    vocabularies: terms.map((one) => [...new Set(one)]),
    countOf: (term) => postings.get(term)?.passages.length ?? 0,
    score(weights, reach) {
      const scores = new Float64Array(size)
      const { lengths, meanLength } = reachOf(reach)
      for (const [term, weight] of weights) {
        const found = postings.get(term)
        if (found === undefined) continue
        const rarity = weight * rarityOf(found.passages.length, size)
        const said = spread(found, { size, threads, reach })
        for (const [at, count] of said.entries()) {
          if (count === 0) continue
          const held = saturation * (1 - lengthShare + (lengthShare * (lengths[at] ?? 0)) / meanLength)
          scores[at] = (scores[at] ?? 0) + (rarity * count * (saturation + 1)) / (count + held)
        }
      }
      return scores
    },
  }
}

/** What a term tells: little where it stands in most passages. */
export function rarityOf(count: number, size: number): number {
  return Math.log(1 + (size - count + 0.5) / (count + 0.5))
}

function postingsOf(terms: readonly (readonly string[])[]): ReadonlyMap<string, Postings> {
  const postings = new Map<string, { passages: number[]; counts: number[] }>()
  for (const [at, said] of terms.entries())
    for (const term of said) {
      const one = postings.get(term) ?? { passages: [], counts: [] }
      if (one.passages.length === 0) postings.set(term, one)
      if (one.passages.at(-1) === at) one.counts[one.counts.length - 1] = (one.counts.at(-1) ?? 0) + 1
      else {
        one.passages.push(at)
        one.counts.push(1)
      }
    }
  return postings
}

/** First and last passage of the run of its thread, for each passage; it stands alone where it has none. */
interface ThreadBounds {
  readonly first: Int32Array
  readonly last: Int32Array
}

function threadBounds(passages: readonly Passage[]): ThreadBounds {
  const first = Int32Array.from(passages.keys())
  const last = Int32Array.from(passages.keys())
  const isSame = (at: number): boolean =>
    passages[at]?.thread !== undefined && passages[at]?.thread === passages[at - 1]?.thread
  for (let at = 1; at < passages.length; at += 1) if (isSame(at)) first[at] = first[at - 1] ?? at
  for (let at = passages.length - 1; at > 0; at -= 1) if (isSame(at)) last[at - 1] = last[at] ?? at
  return { first, last }
}

interface Spreading {
  readonly size: number
  readonly threads: ThreadBounds
  readonly reach: number
}

/** Counts of each passage and, falling off evenly with the distance, of those within reach. */
function spread({ passages, counts }: Postings, { size, threads, reach }: Spreading): Float64Array {
  const sums = new Float64Array(size)
  for (const [place, at] of passages.entries()) {
    const count = counts[place] ?? 0
    const from = Math.max(threads.first[at] ?? at, at - reach)
    const to = Math.min(threads.last[at] ?? at, at + reach)
    for (let near = from; near <= to; near += 1)
      sums[near] = (sums[near] ?? 0) + count * (1 - Math.abs(near - at) / (reach + 1))
  }
  return sums
}
