import { callable, shape } from '../../core/index.ts'
import type { Citation } from '../../core/index.ts'
import type { CitableEntry, KnownEntry, Similar } from './citable-entry.ts'
import { lexicalSimilarity } from './lexical-similarity.ts'
import { sentencesOf } from './sentences.ts'
import type { Sentence } from './sentences.ts'

/** The input of `inferredCitations`: the text of a reply, and the entries that it may rest on. */
export interface InferringInput {
  readonly entries: readonly CitableEntry[]
  /** Of the reply. */
  readonly text: string
  /** The embedding of one of `citableTexts`; without it words are compared. */
  readonly vectorOf?: (text: string) => ArrayLike<number> | undefined
  /** What two sentences have to be alike to be taken for one; 0.8 for embeddings, 0.3 for words. */
  readonly least?: number
}

/** A citation that no provider has made. */
export interface InferredCitation extends Citation {
  readonly by: 'quotation' | 'similarity'
  readonly start: number
  readonly end: number
  readonly confidence: number
}

const leastOfVectors = 0.8
const leastOfWords = 0.3

const inputShape = shape.object<InferringInput>({
  entries: shape.list(shape.object<CitableEntry>({ id: shape.name, text: shape.text })),
  text: shape.text,
  vectorOf: shape.optional(callable()),
  least: shape.optional(shape.share),
})

/** The texts whose embeddings `inferredCitations` compares. */
export function citableTexts(input: Pick<InferringInput, 'entries' | 'text'>): readonly string[] {
  shape.check(inputShape, input, 'input')
  const { entries, text } = input
  return [
    ...new Set(
      [text, ...entries.map((entry) => entry.text)].flatMap((one) => sentencesOf(one).map(({ said }) => said)),
    ),
  ]
}

/**
 * What a reply seems to cite, sentence by sentence, where its provider does not say: entries that it quotes, and those of which a
 * sentence is much like its own. A guess; `docs/benchmarks/readings.md` has how often it is right. Pure.
 */
export function inferredCitations(input: InferringInput): readonly InferredCitation[] {
  shape.check(inputShape, input, 'input')
  const { entries, text, vectorOf, least } = input
  const known = entries.map((entry): KnownEntry => {
    return { ...entry, sentences: sentencesOf(entry.text), folded: folded(entry.text) }
  })
  const similar =
    vectorOf === undefined ? lexicalSimilarity(known.map(({ sentences }) => sentences)) : byVectors(vectorOf)
  const enough = least ?? (vectorOf === undefined ? leastOfWords : leastOfVectors)
  return sentencesOf(text).flatMap((sentence) => {
    const found = known.flatMap((entry, index): readonly InferredCitation[] => {
      const place = { source: entry.id, start: sentence.start, end: sentence.end }
      const quoted = quotedFrom(sentence, entry)
      if (quoted !== undefined) return [{ ...place, by: 'quotation', confidence: 1, citedText: quoted }]
      const best = similar(sentence, entry, index)
      if (best === undefined || best.confidence < enough) return []
      return [{ ...place, by: 'similarity', ...best }]
    })
    const most = Math.max(0, ...found.map(({ confidence }) => confidence))
    return found.filter(({ confidence }) => confidence >= nearBest * most)
  })
}

/** Of several entries that a sentence is like, those that it is nearly most like. */
const nearBest = 0.95

/** So many words in a row are nobody's own by chance. */
const quotedWords = 8

function quotedFrom({ said }: Sentence, { folded: there }: KnownEntry): string | undefined {
  const words = folded(said).split(' ')
  for (let from = 0; from + quotedWords <= words.length; from += 1) {
    const run = words.slice(from, from + quotedWords).join(' ')
    if (there.includes(run)) return run
  }
  return undefined
}

function folded(text: string): string {
  return text.toLowerCase().split(/\s+/).join(' ').trim()
}

function byVectors(vectorOf: NonNullable<InferringInput['vectorOf']>): Similar {
  return (sentence, { sentences }) => {
    const own = vectorOf(sentence.said)
    if (own === undefined) return undefined
    let best: { readonly confidence: number; readonly citedText: string } | undefined
    for (const { said } of sentences) {
      const other = vectorOf(said)
      const confidence = other === undefined ? 0 : cosine(own, other)
      if (confidence > (best?.confidence ?? 0)) best = { confidence, citedText: said }
    }
    return best
  }
}

function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let [product, ofOne, ofOther] = [0, 0, 0]
  for (let index = 0; index < one.length; index += 1) {
    const [a = 0, b = 0] = [one[index], other[index]]
    product += a * b
    ofOne += a * a
    ofOther += b * b
  }
  return ofOne === 0 || ofOther === 0 ? 0 : product / Math.sqrt(ofOne * ofOther)
}
