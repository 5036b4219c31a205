import type { Item } from '../core/index.ts'
import { splitWords, writeWordWeights } from '../core/index.ts'

/** What tells how much each word of a text matters. */
export interface WordClassifier {
  readonly id: string
  /** For each list of words as many figures in [0, 1]: how much each is worth to a reader. */
  classify(texts: readonly (readonly string[])[]): Promise<readonly ArrayLike<number>[]>
}

/** Shorter texts are not shortened. */
const leastWords = 24

/**
 * Items of prose with what a classifier says their words are worth, for a compile whose policy compresses: evidence, memory and what people and
 * models have said. What a classifier has not answered for stands as it came, and so do items that have weights already.
 */
export async function withWordWeights(items: readonly Item[], classifier: WordClassifier): Promise<readonly Item[]> {
  const asked = items.map((item) => (isAsked(item) ? splitWords(item.text) : []))
  const texts = asked.filter((words) => words.length >= leastWords)
  if (texts.length === 0) return items
  const answers = await classifier.classify(texts)
  let next = 0
  return items.map((item, at) => {
    const words = asked[at] ?? []
    if (words.length < leastWords) return item
    const weights = answers[next]
    next += 1
    return weights === undefined || weights.length !== words.length
      ? item
      : { ...item, wordWeights: writeWordWeights(weights) }
  })
}

function isAsked({ kind, text, wordWeights, pin, frozen }: Item): boolean {
  if (wordWeights !== undefined || text === '' || pin === true || frozen === true) return false
  return kind === 'evidence' || kind === 'memory' || kind === 'text'
}
