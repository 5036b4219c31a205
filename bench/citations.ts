import { readFileSync } from 'node:fs'
import { inferredCitations } from '../src/index.ts'
import type { CitableEntry } from '../src/index.ts'
import { citationFigures } from '../src/inspect/index.ts'
import type { CitationFigures, LabelledReply } from '../src/inspect/index.ts'
import { markdownTable } from './markdown-table.ts'
import { wordVectors } from './word-vectors.ts'

/*
 * How often citations that are inferred name what was really cited: claims with the abstracts that were written from (SciFact), and
 * answers about meetings with the turns that they sum up (QMSum), among entries that are like them. What a provider cites itself is
 * taken for right. The threshold is chosen on the first half of each, and the figures are of the second.
 *
 *   node bench/citations.ts [DATA]
 */

const data = process.argv[2] ?? '../shared/data'
const rows = (file: string): readonly unknown[] =>
  readFileSync(`${data}/${file}`, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))

const candidates = 10

interface Abstract {
  readonly id: string | number
  readonly title: string
  readonly sentences: readonly string[]
}

function scifact(): readonly LabelledReply[] {
  const corpus = rows('scifact/corpus.jsonl') as readonly Abstract[]
  const entries = new Map(
    corpus.map(({ id, title, sentences }) => [String(id), { id: String(id), text: [title, ...sentences].join('\n') }]),
  )
  const near = nearest([...entries.values()])
  type Query = { query: string; evidence: readonly { doc: string | number }[] }
  return (rows('scifact/queries.train.jsonl') as readonly Query[]).flatMap(
    ({ query, evidence }): readonly LabelledReply[] => {
      const cited = new Set(evidence.map(({ doc }) => String(doc)))
      if (cited.size === 0) return []
      const others = near(query).filter(({ id }) => !cited.has(id))
      const all = [...[...cited].flatMap((id) => entries.get(id) ?? []), ...others].slice(0, candidates)
      return [{ text: query, entries: all, cited }]
    },
  )
}

function qmsum(): readonly LabelledReply[] {
  type Meeting = {
    turns: readonly { speaker: string; text: string }[]
    queries: readonly { answer: string; spans: readonly (readonly [number, number])[] }[]
  }
  return (rows('qmsum/dev.jsonl') as readonly Meeting[]).flatMap(({ turns, queries }) => {
    const size = Math.ceil(turns.length / candidates)
    const entries = Array.from({ length: candidates }, (_, index) => ({
      id: String(index),
      text: turns
        .slice(index * size, (index + 1) * size)
        .map(({ text }) => text)
        .join('\n'),
    }))
    return queries.map(({ answer, spans }): LabelledReply => {
      const holds = (index: number): boolean =>
        spans.some(([first, last]) => first < (index + 1) * size && last >= index * size)
      return { text: answer, entries, cited: new Set(entries.flatMap(({ id }, index) => (holds(index) ? [id] : []))) }
    })
  })
}

/** Those that share the rarest words with a text. */
function nearest(entries: readonly CitableEntry[]): (text: string) => readonly CitableEntry[] {
  const words = (text: string): readonly string[] => [...new Set(text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? [])]
  const having = new Map<string, number[]>()
  for (const [index, { text }] of entries.entries())
    for (const word of words(text)) having.set(word, [...(having.get(word) ?? []), index])
  return (text) => {
    const scores = new Map<number, number>()
    for (const word of words(text)) {
      const places = having.get(word) ?? []
      const weight = Math.log(1 + entries.length / (1 + places.length))
      for (const place of places) scores.set(place, (scores.get(place) ?? 0) + weight)
    }
    const best = [...scores].toSorted(([, one], [, other]) => other - one).slice(0, candidates)
    return best.flatMap(([index]) => entries[index] ?? [])
  }
}

function halves(cases: readonly LabelledReply[]): readonly [readonly LabelledReply[], readonly LabelledReply[]] {
  return [cases.filter((_, index) => index % 2 === 0), cases.filter((_, index) => index % 2 === 1)]
}

type VectorOf = (text: string) => Float32Array | undefined

function figuresAt(cases: readonly LabelledReply[], least: number, vectorOf?: VectorOf): CitationFigures {
  return citationFigures(cases, ({ text, entries }) =>
    inferredCitations({ text, entries, least, ...(vectorOf && { vectorOf }) }),
  )
}

/** Learnt from the entries alone, and looked up, since sentences come again. */
function vectorsFor(cases: readonly LabelledReply[]): VectorOf {
  const learnt = new Set(cases.flatMap(({ entries }) => entries.flatMap(({ text }) => text.split('\n'))))
  const vectorOf = wordVectors([...learnt])
  const known = new Map<string, Float32Array | undefined>()
  return (text) => {
    if (!known.has(text)) known.set(text, vectorOf(text))
    return known.get(text)
  }
}

const thresholds = Array.from({ length: 15 }, (_, index) => (20 + index * 5) / 100)
const share = (value: number): string => (100 * value).toFixed(1)

interface Way {
  readonly by: string
  /** What is asked for by default. */
  readonly least: number
  readonly vectorOf?: VectorOf
}

function rowsOf(name: string, cases: readonly LabelledReply[]): readonly Readonly<Record<string, string>>[] {
  const [first, second] = halves(cases)
  const ways: readonly Way[] = [
    { by: 'words', least: 0.3 },
    { by: 'embeddings', least: 0.8, vectorOf: vectorsFor(cases) },
  ]
  return ways.flatMap(({ by, least: given, vectorOf }) => {
    const f1 = (least: number): number => figuresAt(first, least, vectorOf).f1
    const tuned = thresholds.reduce((best, least) => (f1(least) > f1(best) ? least : best))
    return [...new Set([given, tuned])].map((least) => {
      const figures = figuresAt(second, least, vectorOf)
      return {
        data: name,
        by,
        replies: String(second.length),
        least: least.toFixed(2),
        precision: share(figures.precision),
        recall: share(figures.recall),
        F1: share(figures.f1),
        accuracy: share(figures.accuracy),
      }
    })
  })
}

console.log(markdownTable([...rowsOf('scifact', scifact()), ...rowsOf('qmsum', qmsum())]))
