import * as ort from 'onnxruntime-web'
import { splitWords } from '../src/core/index.ts'
import { onnxWordClassifier, wordPieces } from '../src/embedders/index.ts'
import type { WordClassifier } from '../src/embedders/index.ts'
import { tinyModel } from '../src/embedders/tiny-model.fixture.ts'
import { shortenWords } from '../src/ladders/index.ts'
import { plain } from './prose-cases.ts'
import type { ProseCase } from './prose-cases.ts'
import { measured } from './prose-measures.ts'
import type { Measured } from './prose-measures.ts'

const specials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'] as const
const unknown = specials.indexOf('[UNK]')
/** A word that was met less often is not known. */
const leastMet = 3
/** As if each word had been met so often more, needed as often as all. */
const prior = 2

/** Of the words of texts, how often each was met, and how often a question or its answer needed it. */
function countsIn(cases: readonly ProseCase[]): ReadonlyMap<string, { readonly met: number; readonly needed: number }> {
  const counts = new Map<string, { met: number; needed: number }>()
  for (const { text, question, answers } of cases) {
    const needs = plain([question, ...answers].join(' '))
    for (const word of plain(text).trim().split(' ')) {
      const count = counts.get(word) ?? { met: 0, needed: 0 }
      count.met += 1
      if (needs.includes(` ${word} `)) count.needed += 1
      counts.set(word, count)
    }
  }
  return counts
}

/**
 * A token classifier of one figure a word, trained on which words of passages their questions and answers needed, as an ONNX file in the runtime of
 * `onnxruntime-web`: the log-odds that a word is needed beside those of any word. What was seldom met shares one figure.
 */
export async function trainedClassifier(cases: readonly ProseCase[]): Promise<WordClassifier> {
  const counts = [...countsIn(cases)]
  const all = counts.reduce((sum, [, { met }]) => sum + met, 0)
  const base = counts.reduce((sum, [, { needed }]) => sum + needed, 0) / all
  const figureOf = (met: number, needed: number): number => {
    const share = (needed + prior * base) / (met + prior)
    return 0.5 * Math.log((share / (1 - share)) * ((1 - base) / base))
  }
  const known = counts.filter(([, { met }]) => met >= leastMet)
  const seldom = counts.filter(([, { met }]) => met < leastMet)
  const sumOf = (member: 'met' | 'needed'): number => seldom.reduce((sum, [, count]) => sum + count[member], 0)
  const embedding = new Float32Array(specials.length + known.length)
  embedding[unknown] = figureOf(sumOf('met'), sumOf('needed'))
  for (const [at, [, { met, needed }]] of known.entries()) embedding[specials.length + at] = figureOf(met, needed)
  const tokenizer = wordPieces({ vocabulary: [...specials, ...known.map(([word]) => word)] })
  return onnxWordClassifier({ session: await sessionOf(embedding), Tensor: ort.Tensor, tokenizer, id: 'trained' })
}

async function sessionOf(embedding: Float32Array): Promise<ort.InferenceSession> {
  ort.env.wasm.numThreads = 1
  return ort.InferenceSession.create(tinyModel(embedding))
}

/** What stands where words go by what a classifier says of them, and by the built-in model, at the same ratio. */
export interface ClassifierPoint {
  readonly keepRatio: number
  readonly byModel: Measured
  readonly builtIn: Measured
}

export async function classifierFidelity(
  classifier: WordClassifier,
  cases: readonly ProseCase[],
  ratios: readonly number[],
): Promise<readonly ClassifierPoint[]> {
  const texts = [...new Set(cases.map(({ text }) => text))]
  const answers = await classifier.classify(texts.map(splitWords))
  const worthOf = new Map(texts.map((text, at) => [text, answers[at] ?? []]))
  return ratios.map((keepRatio) => ({
    keepRatio,
    byModel: measured(
      cases,
      (text, ratio) => shortenWords(text, { keepRatio: ratio, worth: worthOf.get(text) ?? [] }),
      keepRatio,
    ),
    builtIn: measured(cases, (text, ratio) => shortenWords(text, { keepRatio: ratio }), keepRatio),
  }))
}

export interface Latency {
  /** Milliseconds of the processor that a text takes. */
  readonly p50: number
  readonly p95: number
  /** Of the texts. */
  readonly medianWords: number
}

/** Of each text the least of several rounds, since others use the machine too. */
export async function classifierLatency(
  classifier: WordClassifier,
  texts: readonly string[],
  rounds = 5,
): Promise<Latency> {
  const words = texts.map(splitWords)
  const least = words.map(() => Infinity)
  for (let round = 0; round < rounds; round += 1)
    for (const [at, own] of words.entries()) {
      const before = process.cpuUsage()
      await classifier.classify([own])
      const { user, system } = process.cpuUsage(before)
      least[at] = Math.min(least[at] ?? Infinity, (user + system) / 1000)
    }
  return {
    p50: quantile(least, 0.5),
    p95: quantile(least, 0.95),
    medianWords: quantile(
      words.map(({ length }) => length),
      0.5,
    ),
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
